/**
 * How sure a finding is, from what speaks for this very finding. A detector's own confidence is what its claim is worth when
 * nothing in particular was seen; the grounds of a finding move it up or down. What ends at `low` is a question to a person
 * (`review`), and no vulnerability. `npm run bench:accuracy` prints what each level is worth.
 */

export type Confidence = 'high' | 'medium' | 'low'

/** What was seen; what a detector does not look at it leaves out, and that neither adds nor takes away. */
export interface ConfidenceFactors {
  /** An outsider, the calls they make and what is gained or lost by them were all found. */
  readonly hasWitness?: boolean
  /** Who decides on the callee or the number that the claim turns on. */
  readonly controlledBy?: 'outsider' | 'unknown' | 'governed'
  /** Who loses what, in words, where an outsider can cause it with nothing but arguments and money: what a severe finding of high confidence must name. */
  readonly loss?: string | undefined
  /** What is gained or lost where it happens. */
  readonly impact?: 'assets' | 'accounting' | 'none'
  /** The text itself is the vulnerability, whatever is missing. */
  readonly isInText?: boolean
  /** What often makes such a thing harmless and proves nothing, in a few words each. */
  readonly counterEvidence?: readonly string[]
}

const worth: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

const levels: readonly Confidence[] = ['low', 'medium', 'high']

/** How much who decides speaks against: code of a party that nobody knows may be anything, that of the protocol's own keepers rarely is. */
const distrust = { outsider: 0, unknown: 1, governed: 2 }

/** What is known of the code that a finding is in. */
export interface Known {
  /** All files and functions that the code rests on were found and read to the end. */
  readonly isResolved: boolean
  /** An entry point of the scan runs it. */
  readonly isReached: boolean
  /** It is reported as critical or high, and claims what the code does. */
  readonly isSevere?: boolean
  /** The trace starts at a function that any caller can get through. */
  readonly isOpen?: boolean
  /** It is critical, and neither an open path nor an asset of users stands behind it. */
  readonly isBacked?: boolean
  /** No check on the path asks for a proof that an outsider may not have. */
  readonly hasOpenPath?: boolean
}

const whole: Known = { isResolved: true, isReached: true }

/** Without a named entry point and a named loss, what a severe finding says may be the design. */
const isProven = (
  { isSevere = false, isOpen = false }: Known,
  { loss, isInText = false }: ConfidenceFactors,
): boolean => !isSevere || isInText || (isOpen && loss !== undefined)

export const confidenceOf = (claim: Confidence, factors: ConfidenceFactors, known: Known = whole): Confidence => {
  const { isResolved, isReached, isSevere = false, isBacked = true, hasOpenPath = true } = known
  const {
    hasWitness = false,
    controlledBy = 'outsider',
    impact = 'assets',
    isInText = false,
    counterEvidence = [],
  } = factors
  if (!isReached && !isInText) return 'low'
  if (!isBacked && factors.loss === undefined && !isInText) return 'low'
  // A check that was not understood may be what refuses the attacker; below high an error is worth more than a question.
  if (isSevere && !hasOpenPath && !isInText) return 'low'
  const against = distrust[controlledBy] + (impact === 'none' ? 1 : 0) + counterEvidence.length
  const sum = worth[claim] + (hasWitness ? 1 : 0) - against
  // What is missing may change everything, but it is no reason to say nothing.
  const highest = (isResolved || isInText) && isProven(known, factors) ? 2 : 1
  return levels[Math.max(0, Math.min(sum, highest))]!
}

const unknowns = {
  outsider: null,
  unknown: 'it is not known who controls the value or the callee',
  governed: 'only a privileged role can cause it',
}

/** Why a person has to decide, completing "Needs review because". */
export const reasonForReview = (
  factors: ConfidenceFactors,
  { isReached, isBacked = true, hasOpenPath = true }: Known = whole,
): string => {
  const { counterEvidence = [], controlledBy = 'outsider', impact } = factors
  const [first] = counterEvidence
  if (first !== undefined) return first
  if (!isReached) return 'no entry point that reaches it was found'
  if (unknowns[controlledBy] !== null) return unknowns[controlledBy]
  if (impact === 'none') return 'nothing of value depends on it'
  if (!isBacked) return 'no assets of users were found here'
  return hasOpenPath ? 'no loss for another account was shown' : 'a check on the path may refuse the attacker'
}
