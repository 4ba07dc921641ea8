/**
 * Real projects as an integrator sends them. Each becomes a Git repository and goes in as its archive, at once and queued, as standard JSON and
 * by parts, all at the same time and beside the load of another account: none fails, and the findings are the same. A changed version shows
 * only what changed, and branches leave each other alone.
 *   npm run walk:projects -- <folder of a project> …
 *   CORPUS_DIR=<folder that holds folders of projects> npm run walk:projects
 * Starts a service of its own on loopback and ends by itself; the exit code is 1 if anything differs.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '../client/src/index.ts'
import { operate, spawnServer } from '../server/src/testing/spawn-server.ts'
import { walkForms } from './walk/forms.ts'
import { loadBeside } from './walk/load-beside.ts'
import { createReport } from './walk/report.ts'
import { createRepository } from './walk/repository.ts'
import { walkVersions } from './walk/versions.ts'

function findProjects(): string[] {
  const given = process.argv.slice(2)
  const { CORPUS_DIR } = process.env
  if (given.length > 0 || !CORPUS_DIR) return given
  return readdirSync(CORPUS_DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(CORPUS_DIR, entry.name))
}

const projects = findProjects()
if (projects.length === 0) {
  console.error('Name the folders of projects, or set CORPUS_DIR to a folder that holds them.')
  process.exit(2)
}
const settings = { dataDir: mkdtempSync(path.join(tmpdir(), 'assay-walk-data-')) }
const service = await spawnServer(settings)
const report = createReport()
try {
  const newClient = async (name: string, plan: string) => {
    const email = `${name}@example.com`
    const limits = ['limits', email, '--scans-per-day', '100000', '--requests-per-hour', '1000000']
    const printed = await operate(settings, ['create-account', email, '--plan', plan], limits, ['create-key', email])
    const apiKey = printed.find((line) => line.startsWith('assay_live_')) ?? ''
    return createClient({ baseUrl: service.url, apiKey, timeoutMs: 600_000, retries: { attempts: 100 } })
  }
  const [pro, basic, other] = [
    await newClient('pro', 'pro'),
    await newClient('basic', 'basic'),
    await newClient('other', 'pro'),
  ]
  for (const project of projects) {
    const repository = createRepository(path.resolve(project))
    const load = loadBeside(other, repository.sources())
    try {
      await walkForms(repository, pro, basic, report)
      await walkVersions(repository, pro, report)
    } catch (error) {
      report.row({ project: repository.name, step: 'stopped', verdict: report.fail(repository.name, String(error)) })
    } finally {
      const { scans, failures } = await load.stop()
      for (const failure of failures) report.fail(`${repository.name}, load beside`, failure)
      report.row({
        project: repository.name,
        step: 'load beside',
        verdict: `${scans} scans, ${failures.length} failed`,
      })
      repository.remove()
    }
  }
} finally {
  await service.stop()
  rmSync(settings.dataDir, { recursive: true, force: true })
}
console.log(report.table())
console.log(`${report.differences} differences`)
if (report.differences > 0) process.exitCode = 1
