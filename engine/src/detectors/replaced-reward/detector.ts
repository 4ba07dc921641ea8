import { dependsOn, guardsAt, isSender, Source, taintOf, type Write, writesAfter } from '../../facts/index.ts'
import { provenStep, tokenCallOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Location, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface ReplacedReward {
  readonly flow: Flow
  readonly call: CallOp
  readonly write: Write
  /** The variable that is paid first and replaced then. */
  readonly place: Location
}

/** What a call hands out, ether or tokens, if it lies in a variable of its own. */
const amountIn = (call: CallOp): Location | null => {
  const amount = call.call.value ?? tokenCallOf(call)?.amount
  const paid = amount === undefined ? null : stripCasts(amount)
  return paid?.kind === 'load' && paid.location.variable !== null ? paid.location : null
}

/** The caller pays it, and does not receive it. */
const isCharged = (call: CallOp): boolean => {
  const from = tokenCallOf(call)?.from ?? null
  return from !== null && isSender(from)
}

/** What the caller says, whatever was there before. */
const isOfCaller = (flow: Flow, value: Op): boolean => {
  const bits = taintOf(flow, value)
  return (bits & (Source.param | Source.value)) !== 0 && (bits & Source.state) === 0
}

const isPart = ({ kind, operator }: Op): boolean => kind === 'bin' && (operator === '/' || operator === '-')

/** A condition compares the new value with the old one, or with more than that. */
const isWeighed = ({ flow, write, place }: ReplacedReward): boolean =>
  guardsAt(flow, write.op).some(({ condition }) => {
    const isOld = (op: Op): boolean => op.kind === 'load' && op.location === place
    const isNew = (op: Op): boolean => sameValue(op, write.op.args[0]!)
    return (
      condition.args.some((side) => dependsOn(flow, side, isOld) && !dependsOn(flow, side, isPart)) &&
      condition.args.some((side) => dependsOn(flow, side, isNew))
    )
  })

export default defineDetector<ReplacedReward>({
  id: 'replaced-reward',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'Transaction-order dependence: reward changed before payout',
  aliases: { scwe: ['SCWE-052'], words: ['transaction order dependence', 'TOD', 'race condition'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'The function pays the stored amount and then stores a new one from the caller. The payout depends on which of two transactions is mined first, so a front-runner decides.',
  recommendation:
    'Let callers state the amount they expect, or require the new amount to exceed the old one, and separate paying from setting.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.externalCall, holding.rootWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        const place = amountIn(call)
        if (place?.part === 'root')
          for (const write of writesAfter(flow, call))
            if (write.location === place && isOfCaller(flow, write.op.args[0]!)) yield { flow, call, write, place }
      }
  },

  excuses: [excuse('weighed', 'the new value must exceed the old one, as in an auction', isWeighed)],

  finding: ({ flow, call, write, place }) => ({
    at: call,
    ...(isCharged(call)
      ? {
          title: 'Transaction-order dependence: price changed before purchase',
          recommendation: 'Let callers state the highest amount that they accept.',
        }
      : {}),
    message: isCharged(call)
      ? `\`${flow.name}()\` charges \`${place.variable!.name}\`, which the caller before has set, so a front-runner can raise it just before a pending transaction.`
      : `\`${flow.name}()\` pays out \`${place.variable!.name}\` and then replaces it by the caller’s value, so a front-runner decides what a pending transaction receives.`,
    trace: [
      provenStep(flow, call, `replaces \`${place.variable!.name}\` before a pending transaction`),
      { at: call, message: `The stored amount is ${isCharged(call) ? 'charged' : 'paid'} here.` },
      { at: write, message: 'The amount is replaced here.' },
    ],
  }),
})
