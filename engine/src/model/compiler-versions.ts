import { sharedRange, type VersionRange, versionRange } from '../syntax/index.ts'

/** The compilers a file's pragma admits. Versions are `minor * 1000 + patch`: 0.8.19 is 8019. */
export interface CompilerVersions {
  /** Lowest admitted; 4000 when nothing is stated. */
  readonly lowest: number
  /** Highest admitted, inclusive; Infinity when open. */
  readonly highest: number
  /** False when there is no solidity pragma: the range is then guessed from the syntax used. */
  readonly stated: boolean
  /** Every admitted compiler is at least 0.minor.patch. */
  isAtLeast(minor: number, patch?: number): boolean
  /** Every admitted compiler is below 0.minor.patch. */
  isBelow(minor: number, patch?: number): boolean
  admits(minor: number, patch?: number): boolean
  /** Whether `+ - *` revert on overflow outside `unchecked`: 'depends' when the pragma admits both. */
  readonly checkedArithmetic: 'always' | 'never' | 'depends'
  /** What the pragmas admit to the letter; everything when there is none. */
  readonly range: VersionRange
}

interface Interval {
  readonly low: number
  readonly high: number
}

const everything: Interval = { low: 4000, high: Number.POSITIVE_INFINITY }

class Versions implements CompilerVersions {
  readonly lowest: number
  readonly highest: number
  readonly stated: boolean
  readonly checkedArithmetic: 'always' | 'never' | 'depends'
  readonly #intervals: readonly Interval[]
  readonly range: VersionRange

  constructor(intervals: readonly Interval[], ranges: readonly VersionRange[]) {
    let lowest = Number.POSITIVE_INFINITY
    let highest = 0
    for (const { low, high } of intervals) {
      if (low < lowest) lowest = low
      if (high > highest) highest = high
    }
    this.lowest = lowest
    this.highest = highest
    this.stated = ranges.length > 0
    this.checkedArithmetic = highest < 8000 ? 'never' : lowest < 8000 ? 'depends' : 'always'
    this.#intervals = intervals
    this.range = sharedRange(ranges)
  }

  isAtLeast(minor: number, patch = 0): boolean {
    return this.lowest >= minor * 1000 + patch
  }

  isBelow(minor: number, patch = 0): boolean {
    return this.highest < minor * 1000 + patch
  }

  admits(minor: number, patch = 0): boolean {
    const version = minor * 1000 + patch
    return this.#intervals.some(({ low, high }) => low <= version && version <= high)
  }
}

/** Reads the texts of all solidity pragmas of a file (they all must hold). A text that cannot be read admits everything. */
export const readVersions = (pragmas: readonly string[]): CompilerVersions => {
  const ranges = pragmas.map(versionRange)
  let intervals: readonly Interval[] = [everything]
  for (const { spans } of ranges) {
    const narrowed = intersectAll(
      intervals,
      spans.map(({ from, below }) => ({ low: from, high: below - 1 })),
    )
    if (narrowed.length > 0) intervals = narrowed
  }
  return new Versions(intervals, ranges)
}

/** The range that the syntax of a file without pragma proves. */
export const guessedVersions = (lowest: number, highest: number): CompilerVersions => {
  if (lowest === everything.low && highest === everything.high) return anyVersion
  return new Versions([{ low: lowest, high: highest }], [])
}

const anyVersion = new Versions([everything], [])

const intersectAll = (left: readonly Interval[], right: readonly Interval[]): readonly Interval[] => {
  const both: Interval[] = []
  for (const a of left) {
    for (const b of right) {
      const low = Math.max(a.low, b.low)
      const high = Math.min(a.high, b.high)
      if (low <= high) both.push({ low, high })
    }
  }
  return both
}
