import { dependsOn, isUntrusted, lockedAt, roleAt } from '../../facts/index.ts'
import { isOwnTokenBalance, isSelf, raisedBy, tokenCallOf, tokenCalls, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, isOrdering, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
  readonly check: Op
  readonly given: Op
}

/** Foreign code runs between two readings of what this contract holds. */
const handsOver = (flow: Flow, call: CallOp): boolean => {
  const { kind, target, isStatic, gasKind } = call.call
  if ((kind !== 'external' && kind !== 'lowlevel') || target === null || isStatic || gasKind === 'stipend') return false
  return isUntrusted(flow, target, call)
}

/** Something is given for what came in: tokens, or an entry that is raised. */
const findGift = (flow: Flow, check: Op): Op | undefined =>
  tokenCalls(flow).find(({ op, name, from }) => name === 'transfer' && from === null && flow.canFollow(check, op))
    ?.op ?? flow.stateStores().find((store) => raisedBy(store) !== null && flow.canFollow(check, store))

const deciderOf = (flow: Flow, call: CallOp): 'outsider' | 'unknown' | 'governed' => {
  if (roleAt(flow, call) !== null) return 'governed'
  return tokenCallOf(call) === null ? 'outsider' : 'unknown'
}

export default defineDetector<Candidate>({
  id: 'measured-around-callback',
  swc: 'SWC-107',
  title: 'What came in during a callback is counted twice',
  severity: 'critical',
  confidence: 'medium',
  description:
    'The contract reads its balance, lets the caller’s code run, and takes the rise of the balance for a payment. Code that calls in again in between is measured by both calls: one payment, given for twice.',
  recommendation:
    'Hold a lock during the callback, or take the payment by `transferFrom` and count what is written down, not what is held.',
  references: ['https://swcregistry.io/docs/SWC-107'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy', 'token-hook-reentrancy'],

  needs: [holding.externalCall, holding.arithmetic],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        if (!handsOver(flow, call)) continue
        const isBefore = (op: Op): boolean => isOwnTokenBalance(op) && flow.dominates(op, call)
        const isAfter = (op: Op): boolean => isOwnTokenBalance(op) && flow.dominates(call, op)
        for (const check of flow.ops('bin')) {
          if (!isOrdering(check.operator) || !dependsOn(flow, check, isBefore) || !dependsOn(flow, check, isAfter))
            continue
          const given = findGift(flow, check)
          if (given !== undefined && !isSelf(call.call.target!)) yield { flow, call, check, given }
        }
      }
  },
  excuses: [
    excuse('locked', 'a lock keeps callers from entering again', ({ flow, call }) => lockedAt(flow, call) !== null),
  ],
  finding: ({ flow, call, given }) => ({
    at: call,
    grounds: { decidedBy: deciderOf(flow, call) },
    message: 'Whoever is called here can call in again, and one payment is then measured by both calls.',
    trace: [
      witnessStep(flow, call, 'what is paid in once is counted by two calls, and the others pay for the second'),
      ...flow.trace(call),
      { at: { start: given.start, end: given.end }, message: 'This is given for what was measured.' },
    ],
  }),
})
