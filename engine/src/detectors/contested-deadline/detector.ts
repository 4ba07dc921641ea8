import { authorityAt, dependsOn, guardsAt, isProtected, isSender, readsBlock } from '../../facts/index.ts'
import { isNow, outgoingOf, paysOut } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly payment: Op
  readonly winner: VariableModel
}

/** Who came last, and the clock that starts anew with them: both are set together by an open function. */
const contested = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, VariableModel> => {
  const found = new Map<VariableModel, VariableModel>()
  for (const flow of entryPoints) {
    const open = flow.stateStores().filter((store) => authorityAt(flow, store) === null)
    const setTo = (is: (value: Op) => boolean): VariableModel | null => {
      const store = open.find(({ location, args }) => location.depth === 0 && is(stripCasts(args[0])))
      return store === undefined ? null : store.location.variable
    }
    const last = setTo(isSender)
    const since = setTo(isNow)
    if (last && since) found.set(last, since)
  }
  return found
}

export default defineDetector<Candidate>({
  id: 'contested-deadline',
  swc: 'SWC-116',
  title: 'Last-caller-wins timer can be manipulated',
  aliases: { slither: ['timestamp'], words: ['block stuffing', 'Fomo3D', 'last depositor wins'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'Anyone can become the last caller and restart the timer; the last caller when it expires wins the pot. Block proposers control timestamps and transaction inclusion (block stuffing), so they can decide who wins in the final seconds.',
  recommendation:
    'Do not let one transaction decide the whole pot: split it, draw it at random, or treat all late entries equally.',
  references: ['https://swcregistry.io/docs/SWC-116'],
  cwe: ['CWE-829'],
  yieldsTo: ['block-values-as-time'],

  needs: [paysOut, readsBlock],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op: payment, to } of outgoingOf(flow)) {
        const paid = to === null ? null : stripCasts(to)
        const winner = paid?.kind === 'load' ? paid.location.variable : null
        const since = winner === null ? undefined : flow.contractFlow.answer(contested).get(winner)
        if (winner === null || since === undefined) continue
        const isSince = (op: Op): boolean => op.kind === 'load' && op.location.variable === since
        const isDecided = guardsAt(flow, payment).some(
          ({ condition }) => dependsOn(flow, condition, isNow) && dependsOn(flow, condition, isSince),
        )
        if (isDecided) yield { flow, payment, winner }
      }
  },
  excuses: [
    excuse('only-roles', 'only a privileged account can pay the winner', ({ flow, payment }) =>
      isProtected(flow, payment),
    ),
  ],
  finding: ({ flow, payment, winner }) => ({
    at: payment,
    message: `The account in \`${winner.name}\` wins when the timer expires, so a block proposer can choose the winner by ordering or omitting transactions.`,
    trace: flow.trace(payment),
  }),
})
