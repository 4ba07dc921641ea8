import type { Detector } from '../detectors/define-detector.ts'
import { toDetector } from './pattern-detector.ts'
import { readPatternRule } from './read-rule.ts'

export { PatternError } from './pattern.ts'
export { type SourceName, sourceNames } from './read-rule.ts'

/** The detector that a rule without code describes. Throws a `PatternError` that says what is wrong with the rule. */
export const patternDetector = (data: unknown): Detector => toDetector(readPatternRule(data))
