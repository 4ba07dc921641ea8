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
  title: 'Paid before the contract that keeps the accounting is told',
  severity: 'critical',
  confidence: 'medium',
  description:
    'What the caller has is kept in another contract. It is asked before the payment and told only afterwards: a caller who is paid and calls in again in between is found to have as much as before.',
  recommendation: 'Burn or lower first, then pay, or hold a lock that every function sharing that accounting tests.',
  references: ['https://swcregistry.io/docs/SWC-107'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy', 'token-hook-reentrancy'],

  needs: [holding.typedCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* toldTooLate(flow)
  },
  excuses: [
    excuse('locked', 'a lock keeps callers from entering again', ({ flow, call }) => lockedAt(flow, call) !== null),
  ],
  finding: ({ flow, asked, call, change }) => ({
    at: call,
    message: 'Whoever is paid here can call in again before the other contract hears of it.',
    trace: [
      witnessStep(
        flow,
        call,
        'the one who is paid comes back and is paid again for what the other contract still says',
      ),
      ...flow.trace(call),
      { at: { start: asked.start, end: asked.end }, message: 'It is asked here what the caller has.' },
      { at: { start: change.start, end: change.end }, message: 'Only here it is told.' },
    ],
  }),
})
