/**
 * Real projects from npm with all that they import, scanned by the command, and by the client as a zip, as standard JSON and as plain sources:
 * the same files must give the same findings.
 *   npm run bench:same [-- <part of a name> …]
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '../client/src/index.ts'
import { makeZip } from '../server/src/testing/archives.ts'
import { operate, spawnServer } from '../server/src/testing/spawn-server.ts'
import { type FoundResult, placesOf } from './found-places.ts'
import { textTable } from './text-table.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = path.join(root, '.cache', 'same')
const command = path.join(root, 'cli', 'bin', 'assay.mjs')

/** Pinned. What npm does not carry of a Hardhat project is its settings: those are Hardhat's own here. */
const projects = [
  { name: '@uniswap/v4-periphery@1.0.3', kind: 'Foundry' },
  { name: '@uniswap/v4-core@1.0.2', kind: 'Foundry' },
  { name: '@uniswap/v3-periphery@1.4.4', kind: 'Hardhat' },
  { name: '@aave/core-v3@1.19.3', kind: 'Hardhat' },
] as const

/** The package as a project of its own, what it depends on in its node_modules. */
function fetchProject({ name, kind }: (typeof projects)[number]): string {
  const folder = path.join(cache, name.replace(/[/@]/g, '_'))
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const fetched = `${folder}.fetched`
  mkdirSync(fetched, { recursive: true })
  writeFileSync(path.join(fetched, 'package.json'), '{"private":true}')
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--legacy-peer-deps', name],
    { cwd: fetched, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${name} could not be fetched: ${stderr}`)
  const own = path.join(fetched, 'node_modules', name.slice(0, name.lastIndexOf('@')))
  renameSync(own, folder)
  const nested = path.join(folder, 'node_modules')
  if (!existsSync(nested)) renameSync(path.join(fetched, 'node_modules'), nested)
  rmSync(fetched, { recursive: true, force: true })
  if (kind === 'Hardhat') writeFileSync(path.join(folder, 'hardhat.config.js'), 'module.exports = {}\n')
  return folder
}

/** Sources and settings by their paths, as someone would pack the folder. */
function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files: Record<string, string> = {}
  for (const entry of entries) {
    if (!entry.isFile() || !/\.sol$|^(foundry\.toml|remappings\.txt|hardhat\.config\.js)$/.test(entry.name)) continue
    const file = path.join(entry.parentPath ?? entry.path, entry.name)
    files[path.relative(folder, file).split(path.sep).join('/')] = readFileSync(file, 'utf8')
  }
  return files
}

/** As `forge remappings` prints them, which is what a compiler's input holds: the project's own and those of its libraries. */
const allRemappings = (files: Record<string, string>): string[] =>
  Object.entries(files)
    .filter(([file]) => /^(lib\/[^/]+\/)*remappings\.txt$/.test(file))
    .sort(([a], [b]) => a.length - b.length)
    .flatMap(([file, text]) => {
      const home = file.slice(0, -'remappings.txt'.length)
      return text
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => line.trim().replace('=', `=${home}`))
    })

function byCommand(folder: string): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [command, 'scan', '--format', 'json', '--no-cache', '--fail-on', 'never'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 29,
    },
  )
  return placesOf((JSON.parse(stdout) as { files: FoundResult[] }).files)
}

const settings = { dataDir: mkdtempSync(path.join(tmpdir(), 'assay-same-')) }
const service = await spawnServer(settings, { SCAN_TIMEOUT_MS: '120000' })
const rows: string[][] = []
try {
  const printed = await operate(
    settings,
    ['create-account', 'bench@example.com', '--plan', 'pro'],
    ['create-key', 'bench@example.com'],
    ['limits', 'bench@example.com', '--max-file-bytes', '40000000'],
  )
  const apiKey = printed.find((line) => line.startsWith('assay_live_')) ?? ''
  const client = createClient({ baseUrl: service.url, apiKey })
  const wanted = process.argv.slice(2)
  for (const project of projects.filter(({ name }) => wanted.every((word) => name.includes(word)))) {
    const folder = fetchProject(project)
    const files = readFiles(folder)
    const sources = Object.entries(files).filter(([file]) => file.endsWith('.sol'))
    const expected = byCommand(folder)
    const remappings = allRemappings(files)
    const contents = (name: (file: string) => string) =>
      Object.fromEntries(sources.map(([file, content]) => [name(file), { content }]))
    const answers = {
      zip: await client.scans.create({ file: { name: 'app.zip', content: new Uint8Array(makeZip(files)) } }),
      standard: await client.scans.createFromSources({
        language: 'Solidity',
        sources: contents((file) => file.replace(/^node_modules\//, '')),
        settings: { remappings },
      }),
      sources: await client.scans.createFromSources({
        name: project.name,
        remappings,
        sources: contents((file) => file),
      }),
    }
    for (const [form, result] of Object.entries(answers)) {
      const found = placesOf([result])
      const missing = expected.filter((place) => !found.includes(place))
      const more = found.filter((place) => !expected.includes(place))
      if (missing.length + more.length > 0) process.exitCode = 1
      for (const place of missing) console.log(`- ${project.name} ${form}: ${place}`)
      for (const place of more) console.log(`+ ${project.name} ${form}: ${place}`)
      rows.push([
        project.name,
        project.kind,
        form,
        String(sources.length),
        String(expected.length),
        String(found.length),
        missing.length + more.length === 0 ? 'same' : `${missing.length} missing, ${more.length} more`,
        result.completeness,
      ])
    }
  }
} finally {
  await service.stop()
  rmSync(settings.dataDir, { recursive: true, force: true })
}
console.log(
  textTable(['project', 'kind', 'as', 'sources', 'places by command', 'by service', '', 'completeness'], rows),
)
