import { isSender } from '../../facts/index.ts'
import { entriesOf, isOwnTokenBalance, isSelf, keysOf, loweredBy, witnessStep } from '../../idioms/index.ts'
import {
  alternativesOf,
  type CallOp,
  type Flow,
  holding,
  isAmong,
  isOrdering,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import {
  creditedUnpaid,
  isHeldAgainstValue,
  isZeroElsewhere,
  movedTwice,
  type Repeated,
  type Unpaid,
} from './unpaid.ts'

/** An allowance that is lowered, what came in that is measured, or what is credited and did not come in. */
type Candidate = LoweredAllowance | ReversedAllowance | Measured | Unpaid | Repeated

interface LoweredAllowance {
  readonly flow: Flow
  readonly op: Op
  readonly lowered: Op
  readonly amount: Op
}

interface ReversedAllowance {
  readonly flow: Flow
  readonly op: StoreOp
  /** Where callers set that allowance themselves. */
  readonly approval: StoreOp
}

interface Measured {
  readonly flow: Flow
  readonly op: Op
  /** The call that is instructed to give something to this contract. */
  readonly call: CallOp
}

/** ERC-20 lays down what `transferFrom(from, to, amount)` uses up: `amount` of what `from` allowed the caller. */
const standard = 'transferFrom(address,address,uint256)'

function* loweredAllowances(flow: Flow): Iterable<LoweredAllowance> {
  if (flow.fn?.signature !== standard) return
  const [from, , amount] = flow.params as [Op, Op, Op]
  const stored = new Map<Op, StoreOp['location']>()
  const found = flow.stateStores().flatMap((op): readonly LoweredAllowance[] => {
    const keys = keysOf(op.location)
    if (!keys.includes(from) || !keys.some(isSender)) return []
    const value = stripCasts(op.args[0])
    const isStoredBefore = value.kind === 'bin' && value.operator === '-' && stored.get(value.args[0]) === op.location
    stored.set(value, op.location)
    const lowered = isStoredBefore ? value.args[1] : loweredBy(op)
    return lowered === null ? [] : [{ flow, op, lowered, amount }]
  })
  if (!isPaidInParts(flow, from, amount, found))
    for (const one of found) if (stripCasts(one.lowered) !== amount) yield one
}

/** `move(from, collector, fee); move(from, to, amount - fee);`, where each movement uses up as much of the allowance as it takes. */
const isPaidInParts = (flow: Flow, from: Op, amount: Op, found: readonly LoweredAllowance[]): boolean => {
  const parts = found.map(({ lowered }) => lowered)
  const allowances = new Set(found.map(({ op }) => op.location?.variable))
  const debits = entriesOf(flow).filter(
    ({ isRaised, account, op }) => !isRaised && account === from && !allowances.has(op.location.variable),
  )
  const isRest = (value: Op, depth = 0): boolean => {
    const op = stripCasts(value)
    const among = alternativesOf(op)
    if (among.length > 0) return depth < 4 && among.every((one) => isRest(one, depth + 1))
    if (op.kind !== 'bin' || op.operator !== '-') return op === amount
    return stripCasts(op.args[0]) === amount && isAmong([op.args[1]], parts)
  }
  return (
    parts.length > 1 &&
    debits.length > 0 &&
    isAmong(
      debits.map((debit) => debit.amount),
      parts,
    ) &&
    parts.some((part) => isRest(part))
  )
}

/**
 * `allowance[msg.sender][owner] -= n` before `balance[owner] -= n`: what the spender allowed the owner. Spenders set that themselves, so it is no
 * consent of the account that is debited.
 */
function* reversedAllowances(flow: Flow): Iterable<ReversedAllowance> {
  for (const op of flow.stateStores()) {
    const [inner, outer, ...others] = keysOf(op.location)
    if (inner === undefined || outer === undefined || others.length > 0 || loweredBy(op) === null) continue
    if (isSender(inner) || !isSender(outer) || !isDebited(flow, inner, op.location.variable)) continue
    const approval = approvalOf(flow, op)
    if (approval !== undefined) yield { flow, op, approval }
  }
}

/** Something else than the allowance itself is taken from the account. */
const isDebited = (flow: Flow, account: Op, allowance: VariableModel | null): boolean =>
  entriesOf(flow).some(
    (entry) => !entry.isRaised && entry.account === account && entry.op.location.variable !== allowance,
  )

/** `allowance[msg.sender][spender] = n`, for a number that the caller says. */
const approvalOf = ({ contractFlow }: Flow, { location }: StoreOp): StoreOp | undefined =>
  contractFlow.entryPoints
    .flatMap((flow) => flow.stateStores())
    .find((store) => {
      if (store.location.variable !== location.variable || stripCasts(store.args[0]).kind !== 'param') return false
      const [spender, owner] = keysOf(store.location)
      return owner !== undefined && isSender(owner) && !isSender(spender!)
    })

/** `before - after`, where a call between the two was instructed to give something to this contract. */
function* measuredBackwards(flow: Flow): Iterable<Measured> {
  for (const op of flow.ops('bin')) {
    const [before, after] = op.operator === '-' ? op.args.map(stripCasts) : []
    if (before === undefined || after === undefined || !isOwnTokenBalance(before) || !isOwnTokenBalance(after)) continue
    if (!flow.dominates(before, after) || before === after || isCompared(flow, before, after)) continue
    const call = flow.externalCalls().find((each) => isGift(each) && isBetween(flow, before, each, after))
    if (call !== undefined) yield { flow, op, call }
  }
}

/** `require(before >= after)`: the larger one is known, and what arrived is not what is measured. */
const isCompared = (flow: Flow, a: Op, b: Op): boolean =>
  flow.ops('bin').some(({ operator, args }) => {
    if (!isOrdering(operator)) return false
    const sides = args.map(stripCasts)
    return sides.includes(a) && sides.includes(b)
  })

const isBetween = (flow: Flow, before: Op, op: Op, after: Op): boolean =>
  flow.canFollow(before, op) && flow.canFollow(op, after)

const isGift = ({ call, args }: CallOp): boolean => !call.isStatic && args.some(isSelf)

/** What it takes: an entry that moves, or a balance that is looked up. */
const accountsFor = (flow: Flow): boolean => holding.entryWrite(flow) || holding.balanceQuery(flow)

export default defineDetector<Candidate>({
  id: 'erroneous-accounting',
  swc: null,
  title: 'Accounting mismatch',
  aliases: { owasp: ['SC03:2025'], words: ['wrong accounting', 'double credit', 'allowance mismatch'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'The recorded amount differs from the amount that moved. Examples: an allowance is reduced by shares instead of the approved amount, or read with owner and spender swapped; a received amount is computed as balance before minus after; a deposit is credited twice or on a path where nothing was paid.',
  recommendation:
    'Record exactly the amount that moved: reduce the allowance by the requested amount, and measure receipts as balance after minus balance before.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-682'],

  needs: [holding.arithmetic, accountsFor],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* loweredAllowances(flow)
      yield* reversedAllowances(flow)
      yield* measuredBackwards(flow)
      yield* creditedUnpaid(flow)
      yield* movedTwice(flow)
    }
  },
  excuses: [
    excuse(
      'held-against-value',
      'that much ETH comes with the call or exceeds the recorded total',
      (candidate) => 'deposited' in candidate && isHeldAgainstValue(candidate),
    ),
    excuse(
      'zero-elsewhere',
      'the amount is zero on every path that skips the payment',
      (candidate) => 'deposited' in candidate && isZeroElsewhere(candidate),
    ),
  ],
  finding: (candidate) => {
    const { flow, op } = candidate
    if ('lowered' in candidate)
      return {
        at: flow.inEntry(op),
        message: `\`${flow.name}()\` reduces the allowance of the spender by another number than the amount it moves, so a spender can take more tokens than the owner approved.`,
        trace: [witnessStep(flow, op, 'spends more than the owner approved'), ...flow.trace(op)],
      }
    if ('approval' in candidate) {
      const place = flow.describe(candidate.op.location)
      return {
        at: flow.inEntry(op),
        message: `\`${flow.name}()\` lowers \`${place}\`, what the caller allowed the debited account instead of the reverse, so anyone approves a holder and takes that holder’s balance.`,
        trace: [
          witnessStep(flow, op, 'takes the balance of an account that they approved'),
          { at: candidate.approval, message: 'Callers set this allowance themselves here.' },
          ...flow.trace(op),
        ],
      }
    }
    if ('deposited' in candidate)
      return {
        at: op,
        message: `\`${flow.name}()\` credits the amount on every path here but receives it only on some, so a caller is credited without paying and can withdraw what others deposited.`,
        trace: [
          witnessStep(flow, op, 'is credited ETH they never paid'),
          ...flow.trace(op),
          { at: candidate.deposited.op, message: 'Only this path pays the amount in.' },
        ],
      }
    if ('first' in candidate)
      return {
        // A helper that moves it once, as instructed, is not to blame.
        at: flow.inCommonCaller(op, candidate.first),
        message: `\`${flow.name}()\` changes \`${flow.describe(candidate.first.location)}\` twice by the same amount, so one payment counts twice and the account gets more than it paid.`,
        trace: [witnessStep(flow, op, 'has the same amount counted twice', 'A user'), ...flow.trace(op)],
      }
    return {
      at: op,
      message: `\`${flow.name}()\` computes the received amount as balance before minus balance after: when tokens arrive, it underflows, so the call reverts or pays a huge amount.`,
      trace: [
        witnessStep(flow, op, 'it reverts, or pays a huge amount', 'A user'),
        { at: candidate.call, message: 'Tokens arrive here, between the two balance readings.' },
      ],
    }
  },
})
