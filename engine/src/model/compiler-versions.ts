import { type VersionRange, versionRangeOf } from '../syntax/index.ts'

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
  readonly #pragmas: readonly string[]
  #range: VersionRange | null = null

  constructor(intervals: readonly Interval[], pragmas: readonly string[]) {
    let lowest = Number.POSITIVE_INFINITY
    let highest = 0
    for (const { low, high } of intervals) {
      if (low < lowest) lowest = low
      if (high > highest) highest = high
    }
    this.lowest = lowest
    this.highest = highest
    this.stated = pragmas.length > 0
    this.checkedArithmetic = highest < 8000 ? 'never' : lowest < 8000 ? 'depends' : 'always'
    this.#intervals = intervals
    this.#pragmas = pragmas
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

  get range(): VersionRange {
    this.#range ??= versionRangeOf(this.#pragmas)
    return this.#range
  }
}

/**
 * Reads the texts of all solidity pragmas of a file (they all must hold). A text that cannot be read admits everything.
 */
export const readVersions = (pragmas: readonly string[]): CompilerVersions => {
  let intervals: readonly Interval[] = [everything]
  for (const pragma of pragmas) {
    const narrowed = intersectAll(intervals, readRange(pragma))
    if (narrowed.length > 0) intervals = narrowed
  }
  return new Versions(intervals, pragmas)
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

/** npm range syntax as the compiler reads it: `||` between sets, blanks or commas inside, `^ ~ >= > <= < =`, `a - b`. */
const readRange = (text: string): readonly Interval[] => {
  const sets: Interval[] = []
  for (const part of text.replace(/["']/g, ' ').split('||').slice(0, 20)) {
    let intervals: readonly Interval[] = [everything]
    const hyphen = /^\s*v?([\d.]+)\s+-\s+v?([\d.]+)\s*$/.exec(part)
    if (hyphen) {
      const low = readVersion(hyphen[1] ?? '')
      const high = readVersion(hyphen[2] ?? '')
      if (low && high) intervals = [{ low: low.low, high: high.high }]
    } else {
      for (const match of part.matchAll(/(\^|~|>=|<=|>|<|=)?\s*v?(\d+(?:\.(?:\d+|[xX*]))*)/g)) {
        const interval = readComparator(match[1] ?? '', match[2] ?? '')
        if (interval) intervals = intersectAll(intervals, [interval])
      }
    }
    sets.push(...intervals)
  }
  return sets
}

/** `0.8` covers every patch of it; `0` and `*` everything. Anything from 1.0 on counts as beyond all we know. */
const readVersion = (text: string): Interval | undefined => {
  const parts = text.split('.')
  const major = Number(parts[0])
  if (major > 0) return { low: 1_000_000, high: 1_000_000 }
  const minor = Number(parts[1])
  if (Number.isNaN(minor)) return { low: 0, high: 999_999 }
  const patch = Number(parts[2])
  if (Number.isNaN(patch)) return { low: minor * 1000, high: minor * 1000 + 999 }
  return { low: minor * 1000 + patch, high: minor * 1000 + patch }
}

const readComparator = (operator: string, text: string): Interval | undefined => {
  const version = readVersion(text)
  if (version === undefined) return undefined
  const { low, high } = version
  const endOfMinor = Math.floor(low / 1000) * 1000 + 999
  switch (operator) {
    case '^':
      // Below 1.0 a caret pins the minor version; `^0.0.x` is not a Solidity anyone uses.
      return { low, high: endOfMinor }
    case '~':
      return { low, high: endOfMinor }
    case '>=':
      return { low, high: Number.POSITIVE_INFINITY }
    case '>':
      return { low: high + 1, high: Number.POSITIVE_INFINITY }
    case '<=':
      return { low: 0, high }
    case '<':
      return { low: 0, high: low - 1 }
    default:
      return { low, high }
  }
}
