import type { Detector } from '../detectors/define-detector.ts'
import { type Hash, hash } from './hash.ts'
import { findWeakness } from './weaknesses.ts'

/** What all findings of a detector share. Detectors come in many shapes, rules in one. */
export interface Rule extends Pick<Detector, 'swc' | 'id' | 'title' | 'severity' | 'confidence' | 'recommendation'> {
  readonly name: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  /** The detector that this one was split from, else itself. */
  readonly family: string
  /** Of the family: a fingerprint survives the split. */
  readonly hash: Hash
}

const makeRule = (detector: Detector): Rule => {
  const { id, formerly, swc, title, severity, confidence, recommendation, references, cwe } = detector
  const family = formerly ?? id
  const weakness = swc === null ? undefined : findWeakness(swc)
  return {
    swc,
    id,
    name: weakness?.name ?? title,
    title,
    severity,
    confidence,
    recommendation,
    references,
    cwe: cwe.length > 0 ? cwe : (weakness?.cwe ?? []),
    family,
    hash: hash(family),
  }
}

/** The rules of the findings of one file: detectors are few, findings may be many. */
export class Rules {
  readonly #made = new Map<Detector, Rule>()

  of(detector: Detector): Rule {
    let rule = this.#made.get(detector)
    if (rule === undefined) {
      rule = makeRule(detector)
      this.#made.set(detector, rule)
    }
    return rule
  }
}
