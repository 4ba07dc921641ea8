import { dependsOn, isSender } from '../../facts/index.ts'
import { isOwnTokenBalance, isSelf, keysOf, loweredBy, outgoingOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** An allowance that is lowered, or what came in that is measured. */
type Candidate = LoweredAllowance | Measured

interface LoweredAllowance {
  readonly flow: Flow
  readonly op: Op
  readonly lowered: Op
  readonly amount: Op
}

interface Measured {
  readonly flow: Flow
  readonly op: Op
  /** The call that is told to give something to this contract. */
  readonly call: CallOp
}

/** ERC-20 lays down what `transferFrom(from, to, amount)` uses up: `amount` of what `from` allowed the caller. */
const standard = 'transferFrom(address,address,uint256)'

function* loweredAllowances(flow: Flow): Iterable<LoweredAllowance> {
  if (flow.fn?.signature !== standard) return
  const [from, , amount] = flow.params as [Op, Op, Op]
  for (const op of flow.stateStores()) {
    const keys = keysOf(op.location)
    if (!keys.includes(from) || !keys.some(isSender)) continue
    const lowered = loweredBy(op)
    if (lowered !== null && stripCasts(lowered) !== amount) yield { flow, op, lowered, amount }
  }
}

/** `before - after`, where a call between the two was told to give something to this contract. */
function* measuredBackwards(flow: Flow): Iterable<Measured> {
  for (const op of flow.ops('bin')) {
    const [before, after] = op.operator === '-' ? op.args.map(stripCasts) : []
    if (before === undefined || after === undefined || !isOwnTokenBalance(before) || !isOwnTokenBalance(after)) continue
    if (!flow.dominates(before, after) || before === after) continue
    const call = flow.externalCalls().find((each) => isGift(each) && isBetween(flow, before, each, after))
    if (call !== undefined) yield { flow, op, call }
  }
}

const isBetween = (flow: Flow, before: Op, op: Op, after: Op): boolean =>
  flow.canFollow(before, op) && flow.canFollow(op, after)

const isGift = ({ call, args }: CallOp): boolean => !call.isStatic && args.some(isSelf)

/** Tokens leave this contract between the two readings, so that less may be left. */
const isPaidOutBetween = ({ flow, op }: Measured): boolean => {
  const [before, after] = op.args.map(stripCasts) as [Op, Op]
  return outgoingOf(flow).some((payment) => isBetween(flow, before, payment.op, after))
}

export default defineDetector<Candidate>({
  id: 'erroneous-accounting',
  swc: null,
  title: 'Accounting moves by another number than was moved',
  severity: 'high',
  confidence: 'medium',
  description:
    'Owners allow amounts, and ERC-20 says that a transfer uses up the amount that is asked for. Here the allowance is lowered by a number worked out from it, such as shares: where that is smaller, the spender moves more than the owner allowed. Or what came in is measured as the balance before less the balance after, which is never what came in.',
  recommendation:
    'Lower the allowance by the amount that the caller asks for, in the unit in which owners approve, and measure what came in as the balance after less the balance before.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-682'],

  needs: [holding.arithmetic],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* loweredAllowances(flow)
      yield* measuredBackwards(flow)
    }
  },
  excuses: [
    excuse(
      'not-from-the-amount',
      'it is not worked out from the amount at all: one use, one token',
      (candidate) =>
        'lowered' in candidate && !dependsOn(candidate.flow, candidate.lowered, (op) => op === candidate.amount),
    ),
    excuse(
      'paid-out-between',
      'tokens leave between the two readings, and less is left',
      (candidate) => 'call' in candidate && isPaidOutBetween(candidate),
    ),
  ],
  finding: (candidate) =>
    'lowered' in candidate
      ? {
          at: candidate.flow.inEntry(candidate.op),
          message: 'The allowance is lowered by a number that differs from the amount that the owner allowed it for.',
          trace: candidate.flow.trace(candidate.op),
        }
      : {
          at: candidate.op,
          message:
            'What came in is measured the wrong way round: more is held after than before, so this reverts or wraps.',
          trace: [{ at: candidate.call, message: 'This brings tokens in, between the two readings.' }],
        },
})
