import type { Confidence, Detector, Hit } from '../detectors/detector.ts'
import { allTraits, type Behaviour, type Context, traitsOfFiles } from '../flow/index.ts'
import { firstPast, type Span } from '../syntax/index.ts'

/** A detector's hit with the detector that made it. */
export interface RawFinding {
  readonly detector: Detector
  readonly hit: Hit
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

const indexOfEqual = (kept: readonly RawFinding[], { detector, hit }: RawFinding): number => {
  const rule = ruleOf(detector)
  for (let i = kept.length - 1; i >= 0 && kept[i]!.hit.at.start === hit.at.start; i--)
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
  return raw.filter(({ detector, hit }) => !tests.get(ruleOf(detector))?.some((overlaps) => overlaps(hit.at)))
}

const placesOf = (raw: readonly RawFinding[], rule: string): Span[] => {
  const places: Span[] = []
  for (const { detector, hit } of raw) if (ruleOf(detector) === rule) places.push(hit.at)
  return places
}

const byPlace = (a: RawFinding, b: RawFinding): number =>
  a.hit.at.start - b.hit.at.start ||
  a.hit.at.end - b.hit.at.end ||
  (a.detector.id < b.detector.id ? -1 : a.detector.id > b.detector.id ? 1 : 0)

const fewFindings = 40

/** Few, and those of one detector in order already: inserting beats a general sort, which takes over for many. */
const sortByPlace = (raw: RawFinding[]): RawFinding[] => {
  if (raw.length > fewFindings) return raw.sort(byPlace)
  for (let i = 1; i < raw.length; i++) {
    const finding = raw[i]!
    let at = i
    for (; at > 0 && byPlace(raw[at - 1]!, finding) > 0; at--) raw[at] = raw[at - 1]!
    raw[at] = finding
  }
  return raw
}

let listed: readonly Detector[] = []
let needsOfListed = new Int32Array(0)

/** What the detectors need, side by side: whoever is not started is not even looked at. */
const needsOf = (detectors: readonly Detector[]): Int32Array => {
  if (detectors !== listed) {
    listed = detectors
    needsOfListed = Int32Array.from(detectors, ({ needs }) => needs ?? allTraits)
  }
  return needsOfListed
}

/** A program that cannot be followed may hold anything: each detector finds out for itself. */
const traitsIn = (portion: Context, ofFiles: number): number => {
  try {
    return ofFiles | portion.traits
  } catch {
    return allTraits
  }
}

/** Asks each detector that has something to find; one that throws costs its own findings of one portion alone. */
const ask = (
  detectors: readonly Detector[],
  traits: number,
  question: (detector: Detector) => readonly Hit[] | undefined,
  raw: RawFinding[],
  failed: string[],
): void => {
  const needs = needsOf(detectors)
  for (let i = 0; i < detectors.length; i++) {
    if ((needs[i]! & traits) === 0) continue
    const detector = detectors[i]!
    try {
      const hits = question(detector)
      if (hits !== undefined) for (let h = 0; h < hits.length; h++) raw.push({ detector, hit: hits[h]! })
    } catch {
      if (!failed.includes(detector.id)) failed.push(detector.id)
    }
  }
}

/** Places alone: an operation that stands for its place would keep alive all that it was made of. */
const detached = ({ detector, hit }: RawFinding): RawFinding => {
  const plain = { ...hit, at: spanOf(hit.at) }
  if (hit.trace === undefined) return { detector, hit: plain }
  return { detector, hit: { ...plain, trace: hit.trace.map(({ at, message }) => ({ at: spanOf(at), message })) } }
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
  const ofFiles = traitsOfFiles(model)
  for (let portion = behaviour.next(); portion !== null; portion = behaviour.next()) {
    const context = portion
    const before = raw.length
    ask(detectors, traitsIn(context, ofFiles), (detector) => detector.run?.(context), raw, failed)
    show(context)
    if (behaviour.isSplit) for (let i = before; i < raw.length; i++) raw[i] = detached(raw[i]!)
  }
  ask(detectors, ofFiles, (detector) => detector.read?.(model), raw, failed)
  return { raw: dropSwallowed(mergeEqual(sortByPlace(raw))), failed }
}
