import { dependsOn, guardsAt, isKeyedBySender, isStateRead, Source, taintOf } from '../../facts/index.ts'
import { isForCaller, isNeverRaised, outgoingOf, paysOut, witnessStep } from '../../idioms/index.ts'
import { type Flow, type LoadOp, mayOverlap, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** A payment to the caller that rests on how much the caller already had, which nothing ever raises. */
interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly count: LoadOp
  /** The amount, and the conditions on the path. */
  readonly reasons: readonly Op[]
}

/** What the caller already had: taken off something, or held against it. */
const countIn = (flow: Flow, reason: Op): LoadOp | undefined => flow.answerAbout(reason, findCount)

const findCount = (flow: Flow, reason: Op): LoadOp | undefined => {
  let found: LoadOp | undefined
  dependsOn(flow, reason, ({ kind, operator, args }) => {
    if (kind !== 'bin' || (operator !== '-' && operator !== '<')) return false
    const count = stripCasts(args[operator === '-' ? 1 : 0])
    if (!isCount(flow, count)) return false
    found = count
    return true
  })
  return found
}

const isCount = (flow: Flow, op: Op): op is LoadOp =>
  isStateRead(op) && isKeyedBySender(op.location) && isNeverRaised(flow.contractFlow, op.location)

/** The payment uses something up that it rests on. A time that is noted only puts the next payment off. */
const isSettled = ({ flow, op: payment, reasons }: Candidate): boolean =>
  flow
    .stateStores()
    .filter(({ args }) => (taintOf(flow, args[0]) & Source.time) === 0)
    .filter((store) => flow.dominates(store, payment) || flow.isFollowedBy(payment, store))
    .some((store) =>
      reasons.some((reason) =>
        dependsOn(flow, reason, (op) => isStateRead(op) && mayOverlap(store.location, op.location), { keys: false }),
      ),
    )

export default defineDetector<Candidate>({
  id: 'uncounted-payment',
  formerly: 'unprotected-ether-withdrawal',
  swc: 'SWC-105',
  title: 'Claim counter never increased',
  aliases: { owasp: ['SC03:2025'], words: ['claim repeatedly', 'missing counter', 'double claim'] },
  severity: 'critical',
  confidence: 'medium',
  description:
    'The contract subtracts what a caller was already paid, or checks it against a limit, but nothing ever increases that counter. Every caller can claim repeatedly with the funds of others.',
  recommendation: 'Increase the counter by the amount before paying.',
  references: ['https://swcregistry.io/docs/SWC-105'],
  cwe: ['CWE-284'],
  yieldsTo: ['unprotected-ether-withdrawal'],

  needs: [paysOut],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op, amount } of outgoingOf(flow).filter(isForCaller)) {
        const reasons = [amount, ...guardsAt(flow, op).map(({ condition }) => condition)]
        for (const reason of reasons) {
          const count = countIn(flow, reason)
          if (count !== undefined) yield { flow, op, count, reasons }
        }
      }
  },
  excuses: [excuse('settled', 'the payout uses up something else it depends on', isSettled)],
  finding: ({ flow, op, count }) => ({
    at: op,
    message: `\`${flow.name}()\` subtracts \`${flow.describe(count.location)}\`, what was already paid, but no function ever increases it, so every account can claim repeatedly with the funds of others.`,
    trace: [
      witnessStep(flow, op, 'claims repeatedly with the funds of others'),
      { at: count, message: 'The counter is used here.' },
      ...flow.trace(op),
    ],
  }),
})
