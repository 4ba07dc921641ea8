import { isSender, isUntrusted, lockedAt } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly asked: CallOp
  readonly call: CallOp
  readonly change: CallOp
}

const isAboutSender = ({ args }: Op): boolean => args.some((arg) => isSender(arg))

const isSameContract = (a: CallOp, b: CallOp): boolean => {
  const [x, y] = [a.call.target, b.call.target].map((target) => (target === null ? null : stripCasts(target)))
  if (!x || !y) return false
  return sameValue(x, y) || (x.kind === 'load' && y.kind === 'load' && x.location === y.location)
}

const handsOver = (flow: Flow, op: CallOp): boolean =>
  op.call.target !== null && op.call.gasKind !== 'stipend' && isUntrusted(flow, op.call.target, op)

/** A contract that keeps the accounting is asked about the caller before the call, and told only after it. */
function* toldTooLate(flow: Flow): Iterable<Candidate> {
  const calls = flow.externalCalls()
  for (const asked of calls) {
    if (!asked.call.isStatic || !isAboutSender(asked)) continue
    for (const change of calls) {
      if (change.call.isStatic || change.call.kind !== 'external' || !isAboutSender(change)) continue
      if (!flow.canFollow(asked, change) || !isSameContract(asked, change)) continue
      for (const call of flow.sends())
        if (flow.dominates(asked, call) && flow.canFollow(call, change) && call !== change && handsOver(flow, call))
          yield { flow, asked, call, change }
    }
  }
}

export default defineDetector<Candidate>({
  id: 'sister-state-reentrancy',
  swc: 'SWC-107',
  title: 'Cross-contract reentrancy',
  aliases: {
    owasp: ['SC05:2025'],
    scwe: ['SCWE-046'],
    words: ['cross-contract reentrancy', 'stale balance', 'burn after transfer'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'The caller’s balance is kept in another contract. It is read before the payout and updated afterwards, so a caller who re-enters during the payout is paid again from the stale balance.',
  recommendation:
    'Update the other contract before paying, or hold a lock that every function sharing that accounting checks.',
  references: ['https://swcregistry.io/docs/SWC-107'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy', 'token-hook-reentrancy'],

  needs: [holding.typedCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* toldTooLate(flow)
  },
  excuses: [excuse('locked', 'a lock prevents reentry', ({ flow, call }) => lockedAt(flow, call) !== null)],
  finding: ({ flow, asked, call, change }) => ({
    at: call,
    message: 'The recipient can re-enter here before the other contract’s balance is updated, and is paid again.',
    trace: [
      witnessStep(flow, call, 're-enters to be paid again from the stale balance'),
      ...flow.trace(call),
      { at: { start: asked.start, end: asked.end }, message: 'The caller’s balance is read here.' },
      { at: { start: change.start, end: change.end }, message: 'The other contract is updated only here.' },
    ],
  }),
})
