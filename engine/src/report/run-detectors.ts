import type { Confidence, Detector, Hit } from '../detectors/define-detector.ts'
import type { Behaviour, Context } from '../facts/index.ts'
import { firstPast, type Span } from '../syntax/index.ts'

/** A detector's hit with the detector that made it. Its place is an object of any kind: read once, here. */
export interface RawFinding {
  readonly detector: Detector
  readonly hit: Hit
  readonly start: number
  readonly end: number
}

export interface DetectorRun {
  readonly raw: readonly RawFinding[]
  /** Ids of the detectors that threw. */
  readonly failed: readonly string[]
}

/** A rule whose findings give way to those of others at an overlapping place: one root cause, one finding. */
const swallowedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['SWC-114', ['SWC-115']],
  ['SWC-132', ['SWC-128']],
  ['SWC-105', ['SWC-106']],
  ['unprotected-initializer', ['SWC-118', 'SWC-105']],
  ['arbitrary-transfer-from', ['SWC-105']],
  ['unsafe-downcast', ['SWC-101']],
  ['read-only-reentrancy', ['SWC-107']],
  ['delegatecall-in-loop', ['SWC-112']],
  ['unchecked-ecrecover', ['SWC-117', 'SWC-122']],
  ['signature-without-domain', ['SWC-121']],
  ['strict-token-balance', ['SWC-132']],
])

const ruleOf = ({ swc, id }: Detector): string => swc ?? id

const rank: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

const confidenceOf = ({ detector, hit }: RawFinding): number => rank[hit.confidence ?? detector.confidence]

/** One finding per class and starting place; the surer one stays, then the shorter one. Expects the order of places. */
const mergeEqual = (sorted: readonly RawFinding[]): RawFinding[] => {
  const kept: RawFinding[] = []
  let isInOrder = true
  for (const finding of sorted) {
    const equal = indexOfEqual(kept, finding)
    if (equal < 0) kept.push(finding)
    else if (confidenceOf(finding) > confidenceOf(kept[equal]!)) {
      isInOrder = false
      kept[equal] = finding
    }
  }
  return isInOrder ? kept : kept.sort(byPlace)
}

const indexOfEqual = (kept: readonly RawFinding[], { detector, start }: RawFinding): number => {
  const rule = ruleOf(detector)
  for (let i = kept.length - 1; i >= 0 && kept[i]!.start === start; i--)
    if (ruleOf(kept[i]!.detector) === rule) return i
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

const dropSwallowed = (raw: RawFinding[]): RawFinding[] => {
  let tests: Map<string, ((span: Span) => boolean)[]> | null = null
  for (const { detector } of raw) {
    const rule = ruleOf(detector)
    const stronger = swallowedBy.get(rule)
    if (stronger === undefined || tests?.has(rule)) continue
    tests ??= new Map()
    tests.set(
      rule,
      stronger.map((strong) => createOverlapTest(placesOf(raw, strong))),
    )
  }
  if (tests === null) return raw
  return raw.filter((finding) => !tests.get(ruleOf(finding.detector))?.some((overlaps) => overlaps(finding)))
}

const placesOf = (raw: readonly RawFinding[], rule: string): Span[] => {
  const places: Span[] = []
  for (const finding of raw) if (ruleOf(finding.detector) === rule) places.push(finding)
  return places
}

const byPlace = (a: RawFinding, b: RawFinding): number =>
  a.start - b.start || a.end - b.end || (a.detector.id < b.detector.id ? -1 : a.detector.id > b.detector.id ? 1 : 0)

/** Asks every detector; one that throws costs its own findings of one portion alone. */
const ask = (
  detectors: readonly Detector[],
  question: (detector: Detector) => readonly Hit[] | undefined,
  raw: RawFinding[],
  failed: string[],
): void => {
  for (const detector of detectors) {
    try {
      for (const hit of question(detector) ?? []) raw.push(rawFinding(detector, hit))
    } catch {
      if (!failed.includes(detector.id)) failed.push(detector.id)
    }
  }
}

const rawFinding = (detector: Detector, hit: Hit): RawFinding => {
  const { start, end } = hit.at
  return { detector, hit, start, end }
}

/** Places alone: an operation that stands for its place would keep alive all that it was made of. */
const detached = (finding: RawFinding): RawFinding => {
  const { hit } = finding
  const trace = hit.trace?.map(({ at, message }) => ({ at: spanOf(at), message }))
  return { ...finding, hit: { ...hit, at: spanOf(hit.at), ...(trace ? { trace } : {}) } }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })

/** Runs every detector over each portion, then over the whole. Each portion is shown before it is let go. */
export const runDetectors = (
  behaviour: Behaviour,
  detectors: readonly Detector[],
  show: (portion: Context) => void = () => {},
): DetectorRun => {
  const { model } = behaviour
  const raw: RawFinding[] = []
  const failed: string[] = []
  for (let portion = behaviour.next(); portion !== null; portion = behaviour.next()) {
    const context = portion
    const before = raw.length
    ask(detectors, (detector) => detector.run?.(context), raw, failed)
    show(context)
    if (behaviour.isSplit) for (let i = before; i < raw.length; i++) raw[i] = detached(raw[i]!)
  }
  ask(detectors, (detector) => detector.read?.(model), raw, failed)
  return { raw: dropSwallowed(mergeEqual(raw.sort(byPlace))), failed }
}
