/**
 * How the cost of a scan grows with its input, shape by shape, and what small hostile inputs cost.
 *   npm run bench:growth -- [--only words] [--doublings 3]
 * Each shape is scanned at sizes that double; growth is the largest ratio of two times that follow each other, per doubling of
 * the text, among those long enough to be measured. At most 2.5; beyond the budget a result is partial and says so. Exits 1 on a miss.
 * What is measured is the engine as it ships, bundled, and warm: the small sizes would else be charged with its compilation, the
 * large ones with the compiler's work on the thread beside. Rounds of all sizes take turns, and the best of each counts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Report } from '@assay/engine'
import { build } from 'esbuild'
import { growingShapes, hostileInputs, type Shape } from './growth-shapes.ts'
import { textTable } from './text-table.ts'

const mostGrowth = 2.5
const mostSeconds = 1
/** Shorter runs are noise. */
const leastMilliseconds = 40
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

const growthOf = (timings: readonly Timing[]): number => {
  let most = 0
  for (let i = 1; i < timings.length; i++) {
    const [before, after] = [timings[i - 1]!, timings[i]!]
    if (after.milliseconds < leastMilliseconds) continue
    const ratio = after.milliseconds / Math.max(before.milliseconds, leastMilliseconds / 2)
    most = Math.max(most, ratio ** (1 / Math.log2(after.bytes / before.bytes)))
  }
  return most
}

const format = ({ milliseconds, isPartial }: Timing): string =>
  `${milliseconds.toFixed(0)}${isPartial ? ' partial' : ''}`

const measureShape = (scan: Scan, { name, from, write }: Shape, doublings: number) => {
  const texts = Array.from({ length: doublings + 1 }, (_, d) => write(from << d))
  for (let round = 0; round < warmRounds; round++) scan(texts[0]!)
  const timings = time(scan, texts)
  const growth = growthOf(timings)
  const row = [name, String(timings.at(-1)!.bytes), timings.map(format).join(' → '), growth.toFixed(2)]
  return { row: [...row, growth <= mostGrowth ? '' : 'MISS'], isMet: growth <= mostGrowth }
}

const measureHostile = (scan: Scan, name: string, text: string) => {
  const start = process.cpuUsage()
  const { diagnostics, completeness } = scan(text)
  const milliseconds = millisecondsSince(start)
  const isMet = milliseconds <= mostSeconds * 1000
  const words = diagnostics[0]?.message ?? completeness
  return { row: [name, String(text.length), milliseconds.toFixed(0), words.slice(0, 70), isMet ? '' : 'MISS'], isMet }
}

const measure = (scan: Scan): number => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, doublings: { type: 'string', default: '3' } } })
  const isWanted = (name: string): boolean => name.includes(values.only ?? '')
  scan('contract C { function f() public {} }')
  const hostile = Object.entries(hostileInputs)
    .filter(([name]) => isWanted(name))
    .map(([name, text]) => measureHostile(scan, name, text))
  console.log(
    textTable(
      ['hostile input', 'bytes', 'ms', 'what is said', ''],
      hostile.map(({ row }) => row),
    ),
  )
  const shapes = growingShapes
    .filter(({ name }) => isWanted(name))
    .map((shape) => measureShape(scan, shape, Number(values.doublings)))
  console.log(
    textTable(
      ['shape', 'bytes', 'ms at each doubling', 'growth', ''],
      shapes.map(({ row }) => row),
    ),
  )
  const missed = [...hostile, ...shapes].filter(({ isMet }) => !isMet).length
  console.log(missed === 0 ? 'all within bounds' : `${missed} out of bounds`)
  return missed === 0 ? 0 : 1
}

const folder = mkdtempSync(path.join(tmpdir(), 'assay-growth-'))
try {
  process.exitCode = measure(await loadScan(folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
