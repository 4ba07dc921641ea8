import { dependsOn, isSender } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  entriesOf,
  incomingOf,
  isInColumn,
  isMessageValue,
  isOwnTokenBalance,
  isSelf,
  keysOf,
  loweredBy,
  outgoingOf,
  raisedBy,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** An allowance that is lowered, what came in that is measured, or what came in that is promised twice. */
type Candidate = LoweredAllowance | Measured | PromisedTwice

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

interface PromisedTwice {
  readonly flow: Flow
  readonly op: Op
  /** Where all of it is credited. */
  readonly full: Op
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

/** What comes in: tokens, or the ether that is sent along. */
const broughtIn = (flow: Flow): Op[] => {
  const brought = incomingOf(flow).map(({ amount }) => stripCasts(amount))
  for (const { amount } of entriesOf(flow)) if (isMessageValue(amount)) brought.push(amount)
  return brought
}

/** Whoever has an entry there is paid for it. */
const isPaidOff = (flow: Flow, column: Column): boolean =>
  flow.contractFlow.entryPoints.some(
    (payer) =>
      outgoingOf(payer).length > 0 &&
      entriesOf(payer).some(({ op, isRaised }) => !isRaised && isInColumn(op.location, column)),
  )

/** All of a variable is paid to somebody, as it stands. */
const isPaidWhole = (flow: Flow, variable: VariableModel): boolean =>
  flow.contractFlow.entryPoints.some((payer) =>
    outgoingOf(payer).some(({ amount }) => {
      const paid = stripCasts(amount)
      return paid.kind === 'load' && paid.location.part === 'root' && paid.location.variable === variable
    }),
  )

/** All that came in is credited to one, and a part of it to another who is paid as well. */
function* promisedTwice(flow: Flow): Iterable<PromisedTwice> {
  for (const brought of broughtIn(flow)) {
    const full = entriesOf(flow).find(({ op, amount, isRaised }) => {
      const column = columnOf(op.location)
      return isRaised && sameValue(amount, brought) && column !== null && isPaidOff(flow, column)
    })
    if (full === undefined) continue
    for (const op of flow.stateStores()) {
      const { variable, part } = op.location
      const by = raisedBy(op)
      if (variable === null || part !== 'root' || by === null || sameValue(by, brought)) continue
      if (dependsOn(flow, by, (value) => value === brought) && isPaidWhole(flow, variable))
        yield { flow, op, full: full.op }
    }
  }
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
    'Owners allow amounts, and ERC-20 says that a transfer uses up the amount that is asked for. Here the allowance is lowered by a number worked out from it, such as shares: where that is smaller, the spender moves more than the owner allowed. Or what came in is measured as the balance before less the balance after, which is never what came in. Or all that came in is credited to one account and a part of it to another as well: the last to leave is not paid.',
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
