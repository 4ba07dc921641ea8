// npm run bench:projects [-- <part of a name> …]: findings per 1,000 lines of product code in real projects, as a user would
// scan them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchProject, projectCache } from './fetch-project.ts'
import { textTable } from './text-table.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = projectCache
const command = join(root, 'cli', 'bin', 'assay.mjs')

/** Pinned, so that figures can be compared from one day to the next; fetched once by npm, never installed or run. */
const projects = [
  '@openzeppelin/contracts@5.7.0',
  '@openzeppelin/contracts-upgradeable@5.7.0',
  'solady@0.1.26',
  'solmate@6.8.0',
  'erc721a@4.3.0',
  '@uniswap/v3-core@1.0.1',
  '@uniswap/v3-periphery@1.4.4',
  '@uniswap/v4-core@1.0.2',
  '@uniswap/v4-periphery@1.0.3',
  '@aave/core-v3@1.19.3',
  '@morpho-org/morpho-blue@1.0.0',
  '@safe-global/safe-contracts@1.4.1',
] as const

interface Result {
  readonly totals: {
    readonly files: number
    readonly lines: number
    readonly findings: number
    readonly advisories: number
    readonly notScanned: number
    readonly bySeverity: Readonly<Record<string, number>>
  }
  readonly files: readonly { readonly dataVulnerabilities?: readonly { readonly detector: string }[] }[]
}

interface Run {
  readonly stdout: string
  /** Of the processor, user and system: what a run costs, however busy the machine is. */
  readonly cpuSeconds: number
}

function assay(folder: string, ...words: string[]): Run {
  const timed = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&3'
  const { stdout, output } = spawnSync('bash', ['-c', timed, 'bash', process.execPath, command, ...words], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, ASSAY_CACHE_DIR: join(cache, 'results') },
  })
  const [user = 0, system = 0] = (output[3] ?? '').trim().split(' ').map(Number)
  return { stdout, cpuSeconds: user + system }
}

function scan(folder: string): { result: Result; cpuSeconds: number } | undefined {
  const { stdout, cpuSeconds } = assay(folder, 'scan', '--format', 'json')
  try {
    return { result: JSON.parse(stdout), cpuSeconds }
  } catch {
    return undefined
  }
}

/** Of five: what is over in a fifth of a second is decided by chance when it is measured once. */
function leastOf(measure: () => number): number {
  return Math.min(...Array.from({ length: 5 }, measure))
}

const perThousand = (count: number, lines: number): string => ((count / Math.max(1, lines)) * 1000).toFixed(2)

// What is remembered of an earlier bench would make the first scan a second one.
rmSync(join(cache, 'results'), { recursive: true, force: true })
mkdirSync(cache, { recursive: true })
// Built once, before anything is measured.
assay(cache, '--version')
const start = leastOf(() => assay(cache, '--version').cpuSeconds)

const rows: string[][] = []
const sum = { lines: 0, findings: 0, local: 0, advisories: 0 }
const wanted = process.argv.slice(2)
for (const name of projects.filter((each) => wanted.length === 0 || wanted.some((word) => each.includes(word)))) {
  const folder = fetchProject(name)
  const first = folder === undefined ? undefined : scan(folder)
  if (folder === undefined || first === undefined) {
    rows.push([name, folder === undefined ? 'could not be fetched' : 'gave no result'])
    continue
  }
  const again = leastOf(() => scan(folder)?.cpuSeconds ?? Number.NaN)
  const { totals, files } = first.result
  const pragmas = files
    .flatMap(({ dataVulnerabilities }) => dataVulnerabilities ?? [])
    .filter(({ detector }) => detector === 'floating-pragma').length
  const local = totals.findings - pragmas
  sum.lines += totals.lines
  sum.findings += totals.findings
  sum.local += local
  sum.advisories += totals.advisories
  rows.push([
    name,
    String(totals.files),
    String(totals.lines),
    ...['critical', 'high', 'medium', 'low', 'info'].map((severity) => String(totals.bySeverity[severity])),
    String(totals.advisories),
    perThousand(totals.findings, totals.lines),
    perThousand(local, totals.lines),
    first.cpuSeconds.toFixed(2),
    Number.isNaN(again) ? '–' : again.toFixed(2),
    Number.isNaN(again) ? '–' : `${(((again - start) / (first.cpuSeconds - start)) * 100).toFixed(0)} %`,
  ])
}

const head =
  'project,files,lines,critical,high,medium,low,info,advisories,/1000 lines,without pragmas,CPU s,again,share'.split(
    ',',
  )
process.stdout.write(`${textTable(head, rows)}\n`)
process.stdout.write(
  `all: ${sum.lines} lines, ${perThousand(sum.findings, sum.lines)} findings per 1,000 lines (${perThousand(sum.local, sum.lines)} without pragmas), ${perThousand(sum.advisories, sum.lines)} advisories\n`,
)
process.stdout.write(
  `starting the command costs ${start.toFixed(2)} s of CPU; share: what a second scan costs of the first, both without that\n`,
)
