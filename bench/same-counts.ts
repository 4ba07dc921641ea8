/**
 * Real projects in every form that a person or a program reads: the formats of the command, the answer of the service and the dashboard's
 * own count. All give the same counts by severity, and the same number that needs review.
 *   npm run bench:counts -- <folder of a project> …
 * Starts a service of its own on loopback and ends by itself; the exit code is 1 if anything differs.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Counts, countReaders, severities } from '../cli/src/testing/read-counts.ts'
import { createClient } from '../client/src/index.ts'
import { tally } from '../engine/src/index.ts'
import { operate, spawnServer } from '../server/src/testing/spawn-server.ts'
import { listFindings, type ViewScan } from '../web/src/result/scan-view.ts'
import { tallyOf } from '../web/src/result/tally.ts'
import { runAssay } from './run-assay.ts'
import { createRepository } from './walk/repository.ts'

const projects = process.argv.slice(2)
if (projects.length === 0) {
  console.error('Name the folders of projects.')
  process.exit(2)
}

const inWords = ({ counts, review }: Counts): string =>
  `${severities.map((severity) => counts[severity] ?? 0).join(' ')} / ${review}`

/** One scan by the command, written in every format. */
function countByFormat(project: string, folder: string): Record<string, string> {
  const files = Object.keys(countReaders).map((format) => [format, path.join(folder, format)] as const)
  const reports = files.flatMap(([format, file]) => ['--report', `${format}=${file}`])
  runAssay(['scan', project, '--no-cache', '--fail-on', 'info', '--output', path.join(folder, 'first'), ...reports])
  return Object.fromEntries(
    files.map(([format, file]) => [format, inWords(countReaders[format]!(readFileSync(file, 'utf8')))]),
  )
}

/** The answer of the service, and what the dashboard makes of it. */
function countAnswer(scan: Parameters<typeof tally>[0][number] & ViewScan): Record<string, string> {
  const api = tally([scan])
  const dashboard = tallyOf(listFindings(scan))
  return {
    api: inWords({ counts: api.bySeverity, review: api.needsReview }),
    dashboard: inWords({ counts: Object.fromEntries(dashboard.bySeverity), review: dashboard.needsReview }),
  }
}

const settings = { dataDir: mkdtempSync(path.join(tmpdir(), 'assay-counts-data-')) }
const service = await spawnServer(settings)
let differing = 0
try {
  const email = 'counts@example.com'
  const limits = ['limits', email, '--scans-per-day', '100000', '--requests-per-hour', '1000000']
  const printed = await operate(settings, ['create-account', email, '--plan', 'pro'], limits, ['create-key', email])
  const apiKey = printed.find((line) => line.startsWith('assay_live_')) ?? ''
  const client = createClient({ baseUrl: service.url, apiKey, timeoutMs: 600_000 })
  console.log('| project | critical high medium low info / needs review | differing |\n|---|---|---|')
  for (const project of projects) {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-counts-'))
    const repository = createRepository(path.resolve(project))
    try {
      const file = { name: `${repository.name}.zip`, content: new Uint8Array(repository.archive()) }
      const { scanId } = await client.scans.queue({ file })
      const scan = (await client.scans.wait(scanId)) as unknown as Parameters<typeof countAnswer>[0]
      const counts = { ...countByFormat(repository.folder, folder), ...countAnswer(scan) }
      const expected = counts.json
      const others = Object.entries(counts).filter(([, words]) => words !== expected)
      differing += others.length
      console.log(
        `| ${repository.name} | ${expected} | ${others.map(([form, words]) => `${form}: ${words}`).join('; ') || 'none'} |`,
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
      repository.remove()
    }
  }
} finally {
  await service.stop()
  rmSync(settings.dataDir, { recursive: true, force: true })
}
console.log(`${projects.length} projects, ${differing} counts differ`)
process.exit(differing === 0 ? 0 : 1)
