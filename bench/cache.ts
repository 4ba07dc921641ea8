// npm run bench:cache [-- <folder> …]: what a second scan costs after a change, as a share of the first one, in processor time.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchProject } from './fetch-project.ts'
import { textTable } from './text-table.ts'

const cli = fileURLToPath(new URL('../cli', import.meta.url))
const packages = [
  '@openzeppelin/contracts@5.7.0',
  '@aave/core-v3@1.19.3',
  '@uniswap/v4-periphery@1.0.3',
  'synthetix@2.102.1',
]
/** A change in one file says little about the others. */
const changedFiles = 3
/** Of several runs the least counts: whatever else the machine does only adds. */
const runs = 3

/** As it is installed: in a checkout it looks at every start whether a source has changed. */
const installed = mkdtempSync(join(tmpdir(), 'assay-bench-cache-'))
const command = join(installed, 'bin/assay.mjs')

interface Run {
  readonly stdout: string
  readonly cpu: number
}

function scan(folder: string, cache: string, ...words: string[]): Run {
  const timed = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&3'
  const line = [process.execPath, command, 'scan', '--format', 'json', ...words]
  const { stdout, output } = spawnSync('bash', ['-c', timed, 'bash', ...line], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, ASSAY_CACHE_DIR: cache },
  })
  const [user = 0, system = 0] = (output[3] ?? '').trim().split(' ').map(Number)
  return { stdout, cpu: user + system }
}

/** The least of each figure, every time from the cache as a scan from nothing left it. */
function leastOf(folder: string, cache: string, kept: string | undefined, ...words: string[]): Run {
  const all = Array.from({ length: runs }, () => {
    rmSync(cache, { recursive: true, force: true })
    if (kept !== undefined) cpSync(kept, cache, { recursive: true })
    return scan(folder, cache, ...words)
  })
  return {
    stdout: all[0]!.stdout,
    cpu: Math.min(...all.map(({ cpu }) => cpu)),
  }
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    // Build tools name folders of their output after files.
    .filter((path) => path.endsWith('.sol') && !path.includes('node_modules') && statSync(join(folder, path)).isFile())
    .sort()

const withComment = (text: string): string => text.replace(/\{\n/, '{\n    // a remark\n')
/** One statement more at the end of the first body of a function, not of a struct. */
const withStatement = (text: string): string =>
  text.replace(/(\bfunction \w+\([^;{}]*\{\n[^{}]*;)(\s*\n\s*\}\s*\n)/, '$1\n        assert(true);$2')

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Processor time after a change of one file, for several files; each result must be that of a scan without a cache. */
function afterChanges(folder: string, cache: string, kept: string, change: (text: string) => string): number[] {
  const candidates = sourcesIn(folder).filter((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    return change(text) !== text && /\bcontract\b/.test(text)
  })
  const step = Math.max(1, Math.floor(candidates.length / changedFiles))
  return candidates
    .filter((_, i) => i % step === 0)
    .slice(0, changedFiles)
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      writeFileSync(join(folder, path), change(text))
      const { stdout, cpu } = leastOf(folder, cache, kept)
      const isEqual = stdout === scan(folder, cache, '--no-cache').stdout
      writeFileSync(join(folder, path), text)
      if (!isEqual) console.log(`${path}: the result from the cache is another one`)
      return cpu
    })
}

const rows: string[][] = []
const add = (row: string[]): void => {
  rows.push(row)
  console.log(row.join('  '))
}
const share = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(0)} %`

function measure(name: string, source: string): void {
  const work = mkdtempSync(join(tmpdir(), 'assay-bench-cache-'))
  const folder = join(work, 'project')
  const cache = join(work, 'cache')
  try {
    cpSync(source, folder, { recursive: true })
    const kept = join(work, 'kept')
    // One thread: a second one spends more processor time, so that less is waited.
    const cold = leastOf(folder, cache, undefined, '-j', '1')
    cpSync(cache, kept, { recursive: true })
    const warm = leastOf(folder, cache, kept)
    const comment = afterChanges(folder, cache, kept, withComment)
    const body = afterChanges(folder, cache, kept, withStatement)
    add([
      name,
      String(sourcesIn(folder).length),
      `${cold.cpu.toFixed(1)} s`,
      share(warm.cpu, cold.cpu),
      share(median(comment), cold.cpu),
      share(median(body), cold.cpu),
      share(Math.max(...body), cold.cpu),
    ])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

// Built once, before anything is measured.
spawnSync(process.execPath, [join(cli, 'bin/assay.mjs'), '--version'])
for (const part of ['bin', 'dist', 'package.json']) cpSync(join(cli, part), join(installed, part), { recursive: true })
const given = process.argv.slice(2)
for (const folder of given) measure(folder, folder)
for (const name of given.length > 0 ? [] : packages) {
  const folder = fetchProject(name)
  if (folder === undefined) console.log(`${name} could not be fetched`)
  else measure(name, folder)
}
console.log(
  textTable(['project', 'files', 'cold', 'unchanged', 'comment', 'function (median)', 'function (most)'], rows),
)
rmSync(installed, { recursive: true, force: true })
