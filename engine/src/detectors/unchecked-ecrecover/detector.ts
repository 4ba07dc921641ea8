import { comparisonsOf, isSender, usesOf } from '../../facts/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  /** What the recovered account is compared with. */
  readonly others: readonly Op[]
}

const comparisons = new Set(['==', '!=', '>', '<'])
const carriers = new Set(['cast', 'phi', 'select', 'tuple', 'extract'])

const isZero = (op: Op): boolean => op.kind === 'const' && op.constant === 0n

/** What the signer is compared with, also through a variable that several paths set. */
const comparedWith = (flow: Flow, signer: Op): Op[] => {
  const others: Op[] = []
  for (const { user, value } of usesOf(flow, signer, ({ kind }) => carriers.has(kind)))
    if (user?.kind === 'bin' && comparisons.has(user.operator))
      others.push(...user.args.filter((arg) => arg !== value).map(stripCasts))
  return others
}

const createTested = (): Map<Op, boolean> => new Map()

/** Kept: one account may be what many signers are compared with. */
const isTestedAgainstZero = (flow: Flow, value: Op): boolean => {
  const known = flow.answer(createTested)
  let isTested = known.get(value)
  if (isTested === undefined) {
    isTested = comparisonsOf(flow, value).some(({ args }) => args.some((arg) => isZero(stripCasts(arg))))
    known.set(value, isTested)
  }
  return isTested
}

export default defineDetector<Candidate>({
  id: 'unchecked-ecrecover',
  swc: null,
  title: 'Zero address accepted as signer',
  severity: 'medium',
  confidence: 'medium',
  description:
    '`ecrecover` does not fail on a broken signature: it returns the zero address. If the address it is compared with is unset, any rubbish counts as a valid signature.',
  recommendation: 'Refuse the zero address, or use a library such as `ECDSA` that does.',
  references: [
    'https://docs.soliditylang.org/en/latest/units-and-global-variables.html#mathematical-and-cryptographic-functions',
  ],
  cwe: ['CWE-347'],
  yieldsTo: ['signature-malleability', 'missing-signature-check'],

  needs: [holding.recovery],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.builtins('ecrecover')) {
        const others = comparedWith(flow, op)
        if (others.length > 0) yield { flow, op, others }
      }
  },

  excuses: [
    excuse(
      'fixed-or-sender',
      'it is compared with the sender or a fixed address, which are never zero, or with zero itself',
      ({ others }) => others.some((other) => isSender(other) || (other.kind === 'const' && other.constant !== null)),
    ),
    excuse('other-not-zero', 'what it is compared with is tested against zero', ({ flow, others }) =>
      others.some((other) => isTestedAgainstZero(flow, other)),
    ),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    message:
      'For a broken signature `ecrecover` returns the zero address, which is compared here as if it were a signer.',
    trace: flow.trace(op),
  }),
})
