/** When to set the scene for a contract that was written for a time long gone: a sale that ended, a deadline that passed. */
import { type Bygone, type Start, today } from '../evm/machine.ts'

const margin = { timestamp: 86_400n, number: 7200n }

/** Between the first and the last of the moments, where there are several, and shortly before all of them. */
export const earlierStarts = ({ timestamps, numbers }: Bygone): Start[] => {
  const times = candidates(timestamps, margin.timestamp)
  const blocks = candidates(numbers, margin.number)
  return Array.from({ length: Math.max(times.length, blocks.length) }, (_, index) => ({
    timestamp: times[index] ?? times.at(-1) ?? today.timestamp,
    number: blocks[index] ?? blocks.at(-1) ?? today.number,
  }))
}

const candidates = (moments: ReadonlySet<bigint>, before: bigint): bigint[] => {
  const sorted = [...moments].sort((a, b) => (a < b ? -1 : 1))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  return first === last ? [first - before] : [(first + last) / 2n, first - before]
}
