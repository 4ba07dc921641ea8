import { sharedRange, type VersionRange, versionRange } from '../syntax/index.ts'

/** Releases that changed what code means; the analysis of code asks about these alone. */
const languageSteps = [[4, 22], [5], [6], [7], [8], [8, 4]] as const
type LanguageStep = (typeof languageSteps)[number]

/** The compilers a file's pragma admits. Versions are `minor * 1000 + patch`: 0.8.19 is 8019. */
export interface CompilerVersions {
  /** Lowest admitted; 4000 when nothing is stated. */
  readonly lowest: number
  /** Highest admitted, inclusive; Infinity when open. */
  readonly highest: number
  /** False when there is no solidity pragma: the range is then guessed from the syntax used. */
  readonly stated: boolean
  /** Every admitted compiler is at least 0.minor.patch. */
  isAtLeast(...step: LanguageStep): boolean
  /** Every admitted compiler is below 0.minor.patch. */
  isBelow(...step: LanguageStep): boolean
  /** The same for two pragmas under which code means the same. */
  readonly language: string
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
  readonly #lowest: number
  readonly #highest: number
  readonly stated: boolean
  readonly checkedArithmetic: 'always' | 'never' | 'depends'
  readonly #intervals: readonly Interval[]
  readonly #range: VersionRange
  readonly #noteExact: () => void

  constructor(intervals: readonly Interval[], ranges: readonly VersionRange[], noteExact: () => void) {
    let lowest = Number.POSITIVE_INFINITY
    let highest = 0
    for (const { low, high } of intervals) {
      if (low < lowest) lowest = low
      if (high > highest) highest = high
    }
    this.#lowest = lowest
    this.#highest = highest
    this.stated = ranges.length > 0
    this.checkedArithmetic = highest < 8000 ? 'never' : lowest < 8000 ? 'depends' : 'always'
    this.#intervals = intervals
    this.#range = sharedRange(ranges)
    this.#noteExact = noteExact
  }

  get lowest(): number {
    this.#noteExact()
    return this.#lowest
  }

  get highest(): number {
    this.#noteExact()
    return this.#highest
  }

  get range(): VersionRange {
    this.#noteExact()
    return this.#range
  }

  get language(): string {
    const steps = languageSteps.map((step) => Number(this.isAtLeast(...step)) + 2 * Number(this.isBelow(...step)))
    return `${steps.join('')}${this.stated ? '' : '?'}`
  }

  isAtLeast(...[minor, patch]: LanguageStep): boolean {
    return this.#lowest >= minor * 1000 + (patch ?? 0)
  }

  isBelow(...[minor, patch]: LanguageStep): boolean {
    return this.#highest < minor * 1000 + (patch ?? 0)
  }

  admits(minor: number, patch = 0): boolean {
    this.#noteExact()
    const version = minor * 1000 + patch
    return this.#intervals.some(({ low, high }) => low <= version && version <= high)
  }
}

/**
 * Reads the texts of all solidity pragmas of a file (they all must hold). A text that cannot be read admits everything.
 * `noteExact` hears of questions that not only the language decides.
 */
export const readVersions = (pragmas: readonly string[], noteExact = () => {}): CompilerVersions => {
  const ranges = pragmas.map(versionRange)
  let intervals: readonly Interval[] = [everything]
  for (const { spans } of ranges) {
    const narrowed = intersectAll(
      intervals,
      spans.map(({ from, below }) => ({ low: from, high: below - 1 })),
    )
    if (narrowed.length > 0) intervals = narrowed
  }
  return new Versions(intervals, ranges, noteExact)
}

/** The range that the syntax of a file without pragma proves. */
export const guessedVersions = (lowest: number, highest: number): CompilerVersions => {
  if (lowest === everything.low && highest === everything.high) return anyVersion
  return new Versions([{ low: lowest, high: highest }], [], () => {})
}

const anyVersion = new Versions([everything], [], () => {})

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
