import type { Detector } from '../detectors/detector.ts'
import { hashText } from './fingerprint.ts'
import type { Hash } from './hash.ts'
import { findWeakness } from './weaknesses.ts'

/** What all findings of a detector share beside its own words. */
export interface Rule {
  readonly name: string
  readonly cwe: readonly string[]
  readonly hash: Hash
}

const rules = new WeakMap<Detector, Rule>()

const makeRule = ({ id, swc, title, cwe }: Detector): Rule => {
  const weakness = swc === null ? undefined : findWeakness(swc)
  return {
    name: weakness?.name ?? title,
    cwe: cwe.length > 0 ? cwe : (weakness?.cwe ?? []),
    hash: hashText(id),
  }
}

/** Detectors are few and asked for again in every scan. */
export const ruleOf = (detector: Detector): Rule => {
  let rule = rules.get(detector)
  if (rule === undefined) {
    rule = makeRule(detector)
    rules.set(detector, rule)
  }
  return rule
}
