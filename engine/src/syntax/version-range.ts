/**
 * Compiler versions that a `pragma solidity` expression admits, as a set of disjoint half-open intervals over the
 * line of versions. Intersection is exact, so several pragmas of one scan (or one file) combine without guessing.
 */

export interface VersionRange {
  /** The admitted versions as `from` up to, not including, `below`, lowest first; 0.8.19 is 8019, and `below` is Infinity where nothing ends it. */
  readonly spans: readonly { readonly from: number; readonly below: number }[]
  /** False when the text could not be read; such a range admits everything. */
  readonly isReadable: boolean
  admits(version: string): boolean
  /** Does any version from `from` up to, not including, `below` belong? Bounds may be left out. */
  overlaps(from: string | null, below: string | null): boolean
  /** Exactly one version belongs. */
  readonly isPinned: boolean
  readonly isEmpty: boolean
  /** The lowest version, as `0.8.0`; null when empty. */
  min(): string | null
  /** The highest released version that belongs; null when no release does. */
  max(): string | null
  /** Every released version that belongs, lowest first. */
  releases(): readonly string[]
  intersect(other: VersionRange): VersionRange
}

/** Highest released patch of each minor version known to this build, from 0.1 on. */
const LAST_PATCH = [0, 7, 2, 6, 26, 17, 12, 6, 37] as const

const MINOR = 1_000
const MAJOR = 1_000_000
const INFINITE = Number.MAX_SAFE_INTEGER

type Interval = readonly [from: number, below: number]

/** Reads the text after `pragma solidity`. */
export const versionRange = (expression: string): VersionRange => {
  const intervals = readUnion(expression)
  return intervals === null ? new SetOfVersions([[0, INFINITE]], false) : new SetOfVersions(intervals, true)
}

/** What all of the given ranges admit together; everything when there is none. */
export const sharedRange = (ranges: readonly VersionRange[]): VersionRange =>
  ranges.length === 0 ? versionRange('*') : ranges.reduce((shared, each) => shared.intersect(each))

class SetOfVersions implements VersionRange {
  readonly isReadable: boolean
  readonly isEmpty: boolean
  readonly isPinned: boolean
  readonly intervals: readonly Interval[]
  #releases: readonly string[] | null = null

  constructor(raw: readonly Interval[], isReadable: boolean) {
    const intervals = normalise(raw)
    const first = intervals[0]
    this.intervals = intervals
    this.isReadable = isReadable
    this.isEmpty = first === undefined
    this.isPinned = intervals.length === 1 && first![1] - first![0] === 1
  }

  get spans(): VersionRange['spans'] {
    return this.intervals.map(([from, below]) => ({
      from,
      below: below === INFINITE ? Number.POSITIVE_INFINITY : below,
    }))
  }

  admits(version: string): boolean {
    const number = toNumber(version)
    return this.#overlaps(number, number + 1)
  }

  overlaps(from: string | null, below: string | null): boolean {
    return this.#overlaps(from === null ? 0 : toNumber(from), below === null ? INFINITE : toNumber(below))
  }

  #overlaps(from: number, below: number): boolean {
    for (const interval of this.intervals) if (Math.max(interval[0], from) < Math.min(interval[1], below)) return true
    return false
  }

  min(): string | null {
    return this.isEmpty ? null : toText(this.intervals[0]![0])
  }

  max(): string | null {
    return allReleases.findLast((version) => this.admits(version)) ?? null
  }

  releases(): readonly string[] {
    this.#releases ??= allReleases.filter((version) => this.admits(version))
    return this.#releases
  }

  intersect(other: VersionRange): VersionRange {
    const shared = overlap(this.intervals, (other as SetOfVersions).intervals)
    return new SetOfVersions(shared, this.isReadable && other.isReadable)
  }
}

const allReleases: readonly string[] = LAST_PATCH.flatMap((last, minor) =>
  minor === 0 ? [] : Array.from({ length: last + 1 }, (_, patch) => `0.${minor}.${patch}`),
)

/** Versions are written here as `0.8.0`, three numbers and nothing else. */
const toNumber = (version: string): number => {
  let number = 0
  let part = 0
  for (let i = 0; i < version.length; i++) {
    const c = version.charCodeAt(i)
    if (c !== 46) part = part * 10 + c - 48
    else {
      number = (number + part) * MINOR
      part = 0
    }
  }
  return number + part
}

const toText = (version: number): string =>
  `${Math.floor(version / MAJOR)}.${Math.floor((version % MAJOR) / MINOR)}.${version % MINOR}`

const normalise = (intervals: readonly Interval[]): readonly Interval[] => {
  const sorted = intervals.filter(([from, below]) => from < below).sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const merged: [number, number][] = []
  for (const [from, below] of sorted) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], below)
    else merged.push([from, below])
  }
  return merged
}

const overlap = (a: readonly Interval[], b: readonly Interval[]): Interval[] => {
  const shared: Interval[] = []
  for (const [fromA, belowA] of a)
    for (const [fromB, belowB] of b) {
      const from = Math.max(fromA, fromB)
      const below = Math.min(belowA, belowB)
      if (from < below) shared.push([from, below])
    }
  return shared
}

// Reading

const TOKEN = /\s*(\|\||>=|<=|[<>=^~-]|v?(?:\d+|[xX*])(?:\s*\.\s*(?:\d+|[xX*]))*)/y
/** A longer expression is not a version range but an attempt on our time. */
const MAX_LENGTH = 1000

const tokenise = (expression: string): string[] | null => {
  const text = expression
    .slice(0, MAX_LENGTH)
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ')
    .replaceAll(/["']/g, ' ')
    .trim()
  if (text === '' || expression.length > MAX_LENGTH) return null
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (match === null) return null
    tokens.push(match[1]!)
  }
  return tokens
}

const readUnion = (expression: string): Interval[] | null => {
  const tokens = tokenise(expression)
  if (tokens === null) return null
  const union: Interval[] = []
  let from = 0
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && tokens[at] !== '||') continue
    const part = readIntersection(tokens.slice(from, at))
    if (part === null) return null
    union.push(...part)
    from = at + 1
  }
  return union
}

const readIntersection = (tokens: readonly string[]): Interval[] | null => {
  if (tokens.length === 0) return null
  let shared: Interval[] = [[0, INFINITE]]
  for (let at = 0; at < tokens.length; ) {
    const isBare = isVersion(tokens[at])
    const operator = isBare ? '=' : tokens[at++]!
    const version = tokens[at++]
    if (!isVersion(version) || operator === '-') return null
    let interval: Interval
    if (isBare && tokens[at] === '-') {
      const last = tokens[at + 1]
      if (!isVersion(last)) return null
      interval = [boundsOf(levels(version))[0], boundsOf(levels(last))[1]]
      at += 2
    } else interval = comparison(operator, version)
    shared = overlap(shared, [interval])
  }
  return shared
}

const isVersion = (token: string | undefined): token is string => token !== undefined && /^[v\dxX*]/.test(token)

const comparison = (operator: string, version: string): Interval => {
  const numbers = levels(version)
  const [from, below] = boundsOf(numbers)
  switch (operator) {
    case '>=':
      return [from, INFINITE]
    case '>':
      return [below, INFINITE]
    case '<=':
      return [0, below]
    case '<':
      return [0, from]
    case '^':
      return [from, Math.max(below, caretEnd(numbers))]
    case '~':
      return [from, Math.max(below, tildeEnd(numbers))]
    default:
      return [from, below]
  }
}

/** Numbers as far as they are written: `0.4.x` is `[0, 4]`. */
const levels = (version: string): readonly number[] => {
  const numbers: number[] = []
  for (const part of (version.startsWith('v') ? version.slice(1) : version).split('.')) {
    const number = Number(part)
    if (Number.isNaN(number) || numbers.length === 3) break
    numbers.push(Math.min(number, MINOR - 1))
  }
  return numbers
}

/** First and past-the-last version that a possibly partial version stands for. */
const boundsOf = (numbers: readonly number[]): Interval => {
  const [major = 0, minor = 0, patch = 0] = numbers
  const from = major * MAJOR + minor * MINOR + patch
  switch (numbers.length) {
    case 0:
      return [0, INFINITE]
    case 1:
      return [from, from + MAJOR]
    case 2:
      return [from, from + MINOR]
    default:
      return [from, from + 1]
  }
}

/** `^` lets everything right of the first number that is not zero change. */
const caretEnd = (numbers: readonly number[]): number => {
  const [major = 0, minor = 0, patch = 0] = numbers
  if (major > 0 || numbers.length < 2) return (major + 1) * MAJOR
  if (minor > 0 || numbers.length < 3) return (minor + 1) * MINOR
  return patch + 1
}

const tildeEnd = (numbers: readonly number[]): number => {
  const [major = 0, minor = 0] = numbers
  return numbers.length < 2 ? (major + 1) * MAJOR : major * MAJOR + (minor + 1) * MINOR
}
