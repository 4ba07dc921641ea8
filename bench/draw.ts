/**
 * Findings of real projects, drawn at random and printed as the command prints them, each with more of the code around it: for a reader who
 * then says in one sentence what is wrong.
 *   npm run bench:draw -- [--seed 1] [--count 30] [--most 2] [--lines 12] [--only reentrancy] <folder or file> …
 * `--most` is how many of one detector may be drawn, `--lines` how many lines of code are shown before and after.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const program = fileURLToPath(new URL('../cli/bin/assay.mjs', import.meta.url))

const { values: options, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '30' },
    most: { type: 'string', default: '2' },
    lines: { type: 'string', default: '12' },
    only: { type: 'string' },
  },
})

interface Drawn {
  readonly folder: string
  readonly detector: string
  readonly file: string
  readonly line: number
  /** The lines of the command, unchanged. */
  readonly text: string
}

/** One finding per block: its title, its place, message, code, trace and fix. */
const title = /^ {2}(?:critical|high|medium|low|info) {2}\S.* · ([a-z0-9-]+)$/
const place = /^ {2}(\S.*?):(\d+):\d+( · |$)/

function findingsIn(scanned: string): Drawn[] {
  const isFolder = statSync(scanned).isDirectory()
  const folder = isFolder ? scanned : path.dirname(scanned)
  const words = [
    'scan',
    isFolder ? '.' : path.basename(scanned),
    '--details',
    '--group-by',
    'file',
    '--no-cache',
    '--fail-on',
    'never',
    '--color',
    'never',
  ]
  const { stdout } = spawnSync(
    process.execPath,
    [program, ...words, ...(options.only ? ['--only', options.only] : [])],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 29,
    },
  )
  const lines = stdout.split('\n')
  const starts = lines.flatMap((line, at) => (title.test(line) ? [at] : []))
  return starts.flatMap((start) => {
    const [, file, line] = place.exec(lines[start + 1] ?? '') ?? []
    if (file === undefined) return []
    const fix = lines.findIndex((each, at) => at > start && each.startsWith('  fix: '))
    const end = lines.findIndex((each, at) => at > fix && each === '')
    const detector = title.exec(lines[start] ?? '')?.[1] ?? ''
    return [{ folder, detector, file, line: Number(line), text: lines.slice(start, end).join('\n') }]
  })
}

function codeAround({ folder, file, line }: Drawn): string {
  const lines = readFileSync(path.resolve(folder, file), 'utf8').split(/\r\n|[\n\r]/)
  const first = Math.max(1, line - Number(options.lines))
  return lines
    .slice(first - 1, line + Number(options.lines))
    .map((text, at) => `${String(first + at).padStart(6)} │ ${text}`.trimEnd())
    .join('\n')
}

const rank = ({ text, file }: Drawn): string =>
  createHash('sha256').update(`${options.seed}\n${file}\n${text}`).digest('hex')

const found = positionals.flatMap(findingsIn).sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
const drawnOf = new Map<string, number>()
const drawn = found.filter(({ detector }) => {
  const before = drawnOf.get(detector) ?? 0
  drawnOf.set(detector, before + 1)
  return before < Number(options.most)
})
for (const [at, finding] of drawn.slice(0, Number(options.count)).entries()) {
  console.log(`## ${at + 1}. ${path.basename(finding.folder)}\n\n${finding.text}\n\n${codeAround(finding)}\n`)
}
console.error(
  `${Math.min(drawn.length, Number(options.count))} of ${found.length} findings in ${positionals.length} projects`,
)
