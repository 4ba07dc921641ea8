import type { Confidence, Detector, Hit } from '../detectors/detector.ts'
import type { Context } from '../flow/index.ts'
import type { Span } from '../syntax/index.ts'

/** A detector's hit with the detector that made it. */
export interface RawFinding {
  readonly detector: Detector
  readonly hit: Hit
}

export interface DetectorRun {
  readonly raw: readonly RawFinding[]
  /** Ids of the detectors that threw; what they had yielded before is kept. */
  readonly failed: readonly string[]
}

/** The first rule swallows a finding of the second at an overlapping place: one root cause, one finding. */
const swallows: readonly (readonly [string, string])[] = [
  ['SWC-115', 'SWC-114'],
  ['SWC-128', 'SWC-132'],
  ['SWC-106', 'SWC-105'],
  ['SWC-118', 'unprotected-initializer'],
  ['SWC-105', 'unprotected-initializer'],
  ['SWC-105', 'arbitrary-transfer-from'],
  ['SWC-101', 'unsafe-downcast'],
  ['SWC-107', 'read-only-reentrancy'],
  ['SWC-112', 'delegatecall-in-loop'],
  ['SWC-117', 'unchecked-ecrecover'],
  ['SWC-121', 'signature-without-domain'],
  ['SWC-122', 'unchecked-ecrecover'],
  ['SWC-132', 'strict-token-balance'],
]

const ruleOf = ({ swc, id }: Detector): string => swc ?? id

const rank: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

const confidenceOf = ({ detector, hit }: RawFinding): number => rank[hit.confidence ?? detector.confidence]

/** One finding per class and starting place; the surer one stays, then the shorter one. */
const mergeEqual = (raw: readonly RawFinding[]): RawFinding[] => {
  const kept: RawFinding[] = []
  /** Where in `kept` the findings of a starting place are. */
  const places = new Map<number, number[]>()
  for (const finding of raw) {
    const { start, end } = finding.hit.at
    const here = places.get(start)
    const rule = ruleOf(finding.detector)
    const index = here?.find((at) => ruleOf(kept[at]!.detector) === rule)
    if (index === undefined) {
      if (here) here.push(kept.length)
      else places.set(start, [kept.length])
      kept.push(finding)
      continue
    }
    const other = kept[index]!
    const gain = confidenceOf(finding) - confidenceOf(other)
    if (gain > 0 || (gain === 0 && end < other.hit.at.end)) kept[index] = finding
  }
  return kept
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
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]!.start < end) low = middle + 1
      else high = middle
    }
    return low > 0 && ends[low - 1]! > start
  }
}

const dropSwallowed = (raw: readonly RawFinding[]): RawFinding[] => {
  const places = new Map<string, Span[]>()
  for (const { detector, hit } of raw) {
    const rule = ruleOf(detector)
    const known = places.get(rule)
    if (known) known.push(hit.at)
    else places.set(rule, [hit.at])
  }
  const tests = new Map<string, ((span: Span) => boolean)[]>()
  for (const [stronger, weaker] of swallows) {
    const strong = places.get(stronger)
    if (strong && places.has(weaker)) tests.set(weaker, [...(tests.get(weaker) ?? []), createOverlapTest(strong)])
  }
  if (tests.size === 0) return [...raw]
  return raw.filter(({ detector, hit }) => !tests.get(ruleOf(detector))?.some((overlaps) => overlaps(hit.at)))
}

const byPlace = (a: RawFinding, b: RawFinding): number =>
  a.hit.at.start - b.hit.at.start ||
  a.hit.at.end - b.hit.at.end ||
  (a.detector.id < b.detector.id ? -1 : a.detector.id > b.detector.id ? 1 : 0)

/** Runs every detector; one that throws costs its own findings alone. */
export const runDetectors = (context: Context, detectors: readonly Detector[]): DetectorRun => {
  const raw: RawFinding[] = []
  const failed: string[] = []
  for (const detector of detectors) {
    try {
      for (const hit of detector.run(context)) raw.push({ detector, hit })
    } catch {
      failed.push(detector.id)
    }
  }
  return { raw: dropSwallowed(mergeEqual(raw)).sort(byPlace), failed }
}
