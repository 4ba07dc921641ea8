import { type Confidence, confidenceOf } from '../detectors/confidence.ts'
import type { Detector } from '../detectors/define-detector.ts'
import { firstPast, type Span } from '../syntax/index.ts'
import type { Observer, RawFinding } from './raw-finding.ts'

const familyOf = ({ id, formerly }: Detector): string => formerly ?? id

const classOf = (detector: Detector): string => detector.swc ?? familyOf(detector)

/** A detector yields to those that it names, and to all of another family that it names but those that yield to it: one of two is reported. */
export const isYieldingTo = (detector: Detector, other: Detector): boolean => {
  const { yieldsTo = [] } = detector
  if (yieldsTo.includes(other.id)) return true
  if (!yieldsTo.includes(familyOf(other)) || familyOf(other) === familyOf(detector)) return false
  return !other.yieldsTo?.includes(detector.id)
}

const rank: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

const sureness = ({ detector, hit }: RawFinding): number =>
  rank[confidenceOf(hit.confidence ?? detector.confidence, hit.factors ?? {})]

const byPlace = (a: RawFinding, b: RawFinding): number =>
  a.start - b.start || a.end - b.end || (a.detector.id < b.detector.id ? -1 : a.detector.id > b.detector.id ? 1 : 0)

const isOpen = ({ hit }: RawFinding): boolean => hit.trace?.[0]?.isOpen === true

/** Surer, or as sure and what the other gives way to, or as sure of the same place and with a path that is open to all. */
const saysMore = (finding: RawFinding, other: RawFinding): boolean => {
  const more = sureness(finding) - sureness(other)
  if (more === 0 && isYieldingTo(other.detector, finding.detector)) return true
  if (more !== 0 || familyOf(finding.detector) !== familyOf(other.detector) || finding.end !== other.end)
    return more > 0
  return isOpen(finding) && !isOpen(other)
}

/** One finding per class and starting place; the one that says more stays, then the shorter one. Expects the order of places. */
const mergeEqual = (sorted: readonly RawFinding[]): RawFinding[] => {
  const kept: RawFinding[] = []
  for (const finding of sorted) {
    const equal = indexOfEqual(kept, finding)
    if (equal < 0) kept.push(finding)
    else if (saysMore(finding, kept[equal]!)) kept[equal] = finding
  }
  return kept.sort(byPlace)
}

const indexOfEqual = (kept: readonly RawFinding[], { detector, start }: RawFinding): number => {
  const own = classOf(detector)
  for (let i = kept.length - 1; i >= 0 && kept[i]!.start === start; i--)
    if (classOf(kept[i]!.detector) === own) return i
  return -1
}

/** Tells whether a span overlaps one of many, in the time of a binary search: ends are kept as running maxima. */
const createOverlapTest = (spans: readonly Span[]): ((span: Span) => boolean) => {
  const sorted = [...spans].sort((a, b) => a.start - b.start)
  let furthest = 0
  const ends = sorted.map(({ end }) => {
    furthest = Math.max(furthest, end)
    return furthest
  })
  return ({ start, end }) => {
    const before = firstPast(sorted, (span) => span.start >= end)
    return before > 0 && ends[before - 1]! > start
  }
}

const isYieldingFor = (finding: RawFinding, other: RawFinding): boolean =>
  isYieldingTo(finding.detector, other.detector) && other.start < finding.end && finding.start < other.end

/** Drops what gives way to another detector's finding at an overlapping place. */
const dropYielding = (raw: RawFinding[], observer: Observer | undefined): RawFinding[] => {
  const tests = new Map<Detector, (span: Span) => boolean>()
  for (const { detector } of raw) {
    const { yieldsTo } = detector
    if (yieldsTo === undefined || tests.has(detector)) continue
    tests.set(detector, createOverlapTest(raw.filter((other) => isYieldingTo(detector, other.detector))))
  }
  if (tests.size === 0) return raw
  return raw.filter((finding) => {
    const yields = tests.get(finding.detector)?.(finding) ?? false
    if (yields) observer?.yielded?.(finding, raw.find((other) => isYieldingFor(finding, other))!)
    return !yields
  })
}

/** One root cause, one finding, in the order of places. */
export const mergeFindings = (raw: readonly RawFinding[], observer?: Observer): RawFinding[] =>
  dropYielding(mergeEqual([...raw].sort(byPlace)), observer)
