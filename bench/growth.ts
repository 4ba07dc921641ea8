/**
 * How the cost of a scan grows with its input, shape by shape, and what small hostile inputs cost.
 *   npm run bench:growth -- [--only words] [--doublings 3]
 * Each shape is scanned at sizes that double; growth is the largest ratio of two times that follow each other, per doubling of
 * the text, among those long enough to be measured. At most 2.5; beyond the budget a result is partial and says so. Exits 1 on a miss.
 */
import { parseArgs } from 'node:util'
import { scan } from '@assay/engine'
import { growingShapes, hostileInputs, type Shape } from './growth-shapes.ts'
import { textTable } from './text-table.ts'

const mostGrowth = 2.5
const mostSeconds = 1
/** Shorter runs are noise. */
const leastMilliseconds = 40
const rounds = 3

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

const time = (text: string): Timing => {
  let best = Number.POSITIVE_INFINITY
  let isPartial = false
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage()
    const report = scan(text)
    best = Math.min(best, millisecondsSince(start))
    isPartial = report.completeness === 'partial'
    if (best > 2000) break
  }
  return { bytes: text.length, milliseconds: best, isPartial }
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

const measureShape = ({ name, from, write }: Shape, doublings: number) => {
  const timings: Timing[] = []
  for (let d = 0; d <= doublings; d++) timings.push(time(write(from << d)))
  const growth = growthOf(timings)
  const row = [name, String(timings.at(-1)!.bytes), timings.map(format).join(' → '), growth.toFixed(2)]
  return { row: [...row, growth <= mostGrowth ? '' : 'MISS'], isMet: growth <= mostGrowth }
}

const measureHostile = (name: string, text: string) => {
  const start = process.cpuUsage()
  const { diagnostics, completeness } = scan(text)
  const milliseconds = millisecondsSince(start)
  const isMet = milliseconds <= mostSeconds * 1000
  const words = diagnostics[0]?.message ?? completeness
  return { row: [name, String(text.length), milliseconds.toFixed(0), words.slice(0, 70), isMet ? '' : 'MISS'], isMet }
}

const main = (): number => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, doublings: { type: 'string', default: '3' } } })
  const isWanted = (name: string): boolean => name.includes(values.only ?? '')
  scan('contract C { function f() public {} }')
  const hostile = Object.entries(hostileInputs)
    .filter(([name]) => isWanted(name))
    .map(([name, text]) => measureHostile(name, text))
  console.log(
    textTable(
      ['hostile input', 'bytes', 'ms', 'what is said', ''],
      hostile.map(({ row }) => row),
    ),
  )
  const shapes = growingShapes
    .filter(({ name }) => isWanted(name))
    .map((shape) => measureShape(shape, Number(values.doublings)))
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

process.exitCode = main()
