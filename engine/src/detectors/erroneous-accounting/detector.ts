import { dependsOn, isSender } from '../../facts/index.ts'
import { isOwnTokenBalance, isSelf, keysOf, loweredBy, outgoingOf, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isLoweredWhenPaid, type KeptBack, keptBackTwice, type PromisedTwice, promisedTwice } from './promises.ts'
import {
  creditedUnpaid,
  isBalanced,
  isHeldAgainstValue,
  isNothingElse,
  movedTwice,
  type Repeated,
  type Unpaid,
} from './unpaid.ts'

/** An allowance that is lowered, what came in that is measured, what is promised twice, of what came in or of what is kept back, or what is credited and did not come in. */
type Candidate = LoweredAllowance | Measured | PromisedTwice | KeptBack | Unpaid | Repeated

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

/** What it takes: an entry that moves, or a balance that is looked up. */
const accountsFor = (flow: Flow): boolean => holding.entryWrite(flow) || holding.balanceQuery(flow)

export default defineDetector<Candidate>({
  id: 'erroneous-accounting',
  swc: null,
  title: 'Accounting moves by another number than was moved',
  severity: 'high',
  confidence: 'medium',
  description:
    'Owners allow amounts, and ERC-20 says that a transfer uses up the amount that is asked for. Here the allowance is lowered by a number worked out from it, such as shares: where that is smaller, the spender moves more than the owner allowed. Or what came in is measured as the balance before less the balance after, which is never what came in. Or all that came in is credited to one account and a part of it to another as well, or a part of what is paid is kept back for another and stays in the total that is shared out: the last to leave is not paid. Or an amount is credited that is not brought in on every way, or twice where it came in once.',
  recommendation:
    'Lower the allowance by the amount that the caller asks for, in the unit in which owners approve, and measure what came in as the balance after less the balance before.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-682'],

  needs: [holding.arithmetic, accountsFor],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* loweredAllowances(flow)
      yield* measuredBackwards(flow)
      yield* promisedTwice(flow)
      yield* keptBackTwice(flow)
      yield* creditedUnpaid(flow)
      yield* movedTwice(flow)
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
    excuse(
      'lowered-when-paid',
      'the total is lowered where the part that was kept back is paid',
      (candidate) => 'total' in candidate && isLoweredWhenPaid(candidate),
    ),
    excuse(
      'held-against-value',
      'so much ether comes with the call, or is there beyond what is on record',
      (candidate) => 'brought' in candidate && isHeldAgainstValue(candidate),
    ),
    excuse(
      'nothing-else',
      'the amount is brought in unless it is nothing',
      (candidate) => 'brought' in candidate && isNothingElse(candidate),
    ),
    excuse(
      'balanced',
      'it goes back in between, or comes in as often',
      (candidate) => 'first' in candidate && isBalanced(candidate),
    ),
  ],
  finding: (candidate) => {
    const { flow, op } = candidate
    if ('lowered' in candidate)
      return {
        at: flow.inEntry(op),
        message: 'The allowance is lowered by a number that differs from the amount that the owner allowed it for.',
        trace: [witnessStep(flow, op, 'more is taken than the owner allowed, or less can be'), ...flow.trace(op)],
      }
    if ('full' in candidate)
      return {
        at: op,
        message:
          'A part of what came in is promised here, and all of it to another: not everybody can be paid in the end.',
        trace: [
          witnessStep(flow, op, 'more is promised than came in, and the last to come are not paid'),
          ...flow.trace(op),
          { at: candidate.full, message: 'All of it is credited here.' },
        ],
      }
    if ('total' in candidate)
      return {
        at: op,
        message: `A part is kept back for another, and \`${candidate.total.name}\` goes down only by what is paid here: it still counts that part.`,
        trace: [
          witnessStep(flow, op, 'what is kept back is promised twice, and the last to come are not paid'),
          ...flow.trace(op),
          { at: candidate.kept, message: 'Here the same part is promised to another.' },
        ],
      }
    if ('brought' in candidate)
      return {
        at: op,
        message: 'The amount is credited on every way that leads here, and brought in only on some.',
        trace: [
          witnessStep(
            flow,
            op,
            'they are credited with an amount of ether that they never paid, and take it from others',
          ),
          ...flow.trace(op),
          { at: candidate.brought.op, message: 'Only here it is brought in.' },
        ],
      }
    if ('first' in candidate)
      return {
        // A helper that moves it once, as it is told, is not to blame.
        at: flow.inCommonCaller(op, candidate.first),
        message: `\`${flow.describe(candidate.first.location)}\` has moved by the same amount before, and moves by it again.`,
        trace: [
          witnessStep(flow, op, 'an amount that came in once counts twice, at the cost of others, or is taken twice'),
          ...flow.trace(op),
        ],
      }
    return {
      at: op,
      message:
        'What came in is measured the wrong way round: more is held after than before, so this reverts or wraps.',
      trace: [
        witnessStep(flow, op, 'it reverts for everybody, or they are credited with more than they brought'),
        { at: candidate.call, message: 'This brings tokens in, between the two readings.' },
      ],
    }
  },
})
