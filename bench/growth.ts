/**
 * How the cost of a scan grows with its input, shape by shape, and what small hostile inputs cost.
 *   npm run bench:growth -- [--only words] [--doublings 3] [--steps]
 * Each shape is scanned at sizes that double; growth is the largest ratio of two costs that follow each other, per doubling of
 * the text, among those large enough to be measured. At most 2.5; beyond the budget a result is partial and says so. Exits 1 on a miss.
 * Cost is reported twice: by steps, which are the same on every machine, and by the clock, which also sees what built-in functions do inside.
 * `--steps` leaves out all that the clock tells, for a machine that is busy with something else.
 * What the clock measures is the engine as it ships, bundled, and warm: the small sizes would else be charged with its compilation, the
 * large ones with the compiler's work on the thread beside. Rounds of all sizes take turns, and the best of each counts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Report } from '@assay/engine'
import { build } from 'esbuild'
import { type Counted, loadCounted } from '../tools/count-steps.ts'
import { growingShapes, hostileInputs, type Shape } from './growth-shapes.ts'
import { textTable } from './text-table.ts'

const mostGrowth = 2.5
const mostSeconds = 1
/** Shorter runs are noise. */
const leastMilliseconds = 40
/** About as long: what a scan costs in any case would else hide how it grows. */
const leastSteps = 500_000
/** Of each size, as long as they take no more than this together. */
const rounds = 7
const mostMilliseconds = 1500
/** Of the smallest size, before anything is measured. */
const warmRounds = 20

type Scan = (text: string) => Report

const loadScan = async (folder: string): Promise<Scan> => {
  const outfile = path.join(folder, 'engine.mjs')
  const entry = fileURLToPath(new URL('../engine/src/index.ts', import.meta.url))
  await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'silent' })
  return ((await import(pathToFileURL(outfile).href)) as { scan: Scan }).scan
}

interface Cost {
  readonly bytes: number
  readonly amount: number
}

interface Timing {
  readonly bytes: number
  readonly milliseconds: number
  readonly isPartial: boolean
}

/** Processor time: what else the machine does must not count. */
const millisecondsSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Rounds over all sizes, so that a busy moment of the machine does not fall on one of them alone. */
const time = (scan: Scan, texts: readonly string[]): Timing[] => {
  const start = process.cpuUsage()
  const timings = texts.map(
    ({ length }): Timing => ({ bytes: length, milliseconds: Number.POSITIVE_INFINITY, isPartial: false }),
  )
  for (let round = 0; round < rounds && (round < 2 || millisecondsSince(start) < mostMilliseconds); round++)
    for (const [i, text] of texts.entries()) {
      const before = process.cpuUsage()
      const isPartial = scan(text).completeness === 'partial'
      const milliseconds = Math.min(timings[i]!.milliseconds, millisecondsSince(before))
      timings[i] = { bytes: text.length, milliseconds, isPartial }
    }
  return timings
}

const growthOf = (costs: readonly Cost[], least: number): number => {
  let most = 0
  for (let i = 1; i < costs.length; i++) {
    const [before, after] = [costs[i - 1]!, costs[i]!]
    if (after.amount < least) continue
    const ratio = after.amount / Math.max(before.amount, least / 2)
    most = Math.max(most, ratio ** (1 / Math.log2(after.bytes / before.bytes)))
  }
  return most
}

const format = ({ milliseconds, isPartial }: Timing): string =>
  `${milliseconds.toFixed(0)}${isPartial ? ' partial' : ''}`

interface Measured {
  readonly row: readonly string[]
  readonly isMet: boolean
}

const sizesOf = ({ from, write }: Shape, doublings: number): readonly string[] =>
  Array.from({ length: doublings + 1 }, (_, d) => write(from << d))

const judge = (name: string, bytes: number, costs: string, growth: number): Measured => ({
  row: [name, String(bytes), costs, growth.toFixed(2), growth <= mostGrowth ? '' : 'MISS'],
  isMet: growth <= mostGrowth,
})

const measureTime = (scan: Scan, shape: Shape, doublings: number): Measured => {
  const texts = sizesOf(shape, doublings)
  for (let round = 0; round < warmRounds; round++) scan(texts[0]!)
  const timings = time(scan, texts)
  const costs = timings.map(({ bytes, milliseconds }) => ({ bytes, amount: milliseconds }))
  const growth = growthOf(costs, leastMilliseconds)
  return judge(shape.name, timings.at(-1)!.bytes, timings.map(format).join(' → '), growth)
}

const measureSteps = (counted: Counted<{ scan: Scan }>, shape: Shape, doublings: number): Measured => {
  const costs = sizesOf(shape, doublings).map(
    (text): Cost => ({ bytes: text.length, amount: counted.countSteps(({ scan }) => scan(text)) }),
  )
  const thousands = costs.map(({ amount }) => (amount / 1000).toFixed(0)).join(' → ')
  return judge(shape.name, costs.at(-1)!.bytes, thousands, growthOf(costs, leastSteps))
}

/** The second of two: the first pays for the compilation of what no other input has asked for. */
const measureHostile = (scan: Scan, name: string, text: string): Measured => {
  scan(text)
  const start = process.cpuUsage()
  const { diagnostics, completeness } = scan(text)
  const milliseconds = millisecondsSince(start)
  const isMet = milliseconds <= mostSeconds * 1000
  const words = diagnostics[0]?.message ?? completeness
  return { row: [name, String(text.length), milliseconds.toFixed(0), words.slice(0, 70), isMet ? '' : 'MISS'], isMet }
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, doublings: { type: 'string', default: '3' }, steps: { type: 'boolean' } },
})
const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(values.only ?? '')
const shapes = growingShapes.filter(isWanted)
const doublings = Number(values.doublings)

const print = (head: readonly string[], measured: readonly Measured[]): readonly Measured[] => {
  console.log(
    textTable(
      head,
      measured.map(({ row }) => row),
    ),
  )
  return measured
}

const measureByClock = (scan: Scan): readonly Measured[] => {
  scan('contract C { function f() public {} }')
  const hostile = Object.entries(hostileInputs)
    .filter(([name]) => isWanted({ name }))
    .map(([name, text]) => measureHostile(scan, name, text))
  print(['hostile input', 'bytes', 'ms', 'what is said', ''], hostile)
  const timed = shapes.map((shape) => measureTime(scan, shape, doublings))
  print(['shape', 'bytes', 'ms at each doubling', 'growth', ''], timed)
  return [...hostile, ...timed]
}

/** Last, because counting slows down everything that runs beside it. */
const measureBySteps = (): readonly Measured[] => {
  const counted = loadCounted<{ scan: Scan }>(new URL('../engine/src/index.ts', import.meta.url))
  const measured = shapes.map((shape) => measureSteps(counted, shape, doublings))
  counted.stop()
  return print(['shape', 'bytes', 'thousand steps at each doubling', 'growth', ''], measured)
}

const folder = mkdtempSync(path.join(tmpdir(), 'assay-growth-'))
try {
  const timed = values.steps ? [] : measureByClock(await loadScan(folder))
  const missed = [...timed, ...measureBySteps()].filter(({ isMet }) => !isMet).length
  console.log(missed === 0 ? 'all within bounds' : `${missed} out of bounds`)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
