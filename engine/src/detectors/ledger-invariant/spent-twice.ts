/** One amount comes in or is taken off an account, all of it goes on, and a part of it goes elsewhere too: more is promised or paid than there is. */
import { dependsOn, guardsAt } from '../../facts/index.ts'
import {
  incomingOf,
  isBesides,
  isColumnPaidFrom,
  isMessageValue,
  isOwnTokenBalance,
  isSameAmount,
  keysOf,
  nameOfColumn,
  numberMovesOf,
  outgoingOf,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, isBefore, type Op, sameValueOrPlace, stripCasts } from '../../ir/index.ts'
import { assetOf } from './unrecorded-payouts.ts'
import type { Violation } from './violation.ts'

interface Use {
  readonly op: Op
  readonly amount: Op
  readonly words: string
  /** Which asset is paid; null of a claim. */
  readonly asset: string | null
}

/** `require(msg.value == price)`: the price is what came in. */
const equalsOfValue = (flow: Flow, op: Op): readonly Op[] =>
  guardsAt(flow, op).flatMap(({ condition: { kind, operator, args }, polarity }) => {
    if (kind !== 'bin' || operator !== (polarity ? '==' : '!=')) return []
    const [a, b] = args.map(stripCasts) as [Op, Op]
    return isMessageValue(a) ? [b] : isMessageValue(b) ? [a] : []
  })

/** What there is to give: ether or tokens that came in, or what was taken off an entry. */
const sourcesOf = (flow: Flow, use: Op): readonly Op[] => [
  ...(flow.isPayable ? equalsOfValue(flow, use) : []),
  ...incomingOf(flow).map(({ amount }) => amount),
  ...numberMovesOf(flow).flatMap(({ op, amount, isRaised }) =>
    isRaised || keysOf(op.location).length === 0 ? [] : [amount],
  ),
]

const usesOf = (flow: Flow): readonly Use[] => [
  ...outgoingOf(flow).map((payment) => ({
    op: payment.op,
    amount: payment.amount,
    words: 'paid out',
    asset: `${payment.asset} ${assetOf(payment)}`,
  })),
  ...numberMovesOf(flow).flatMap(({ op, column, amount, isRaised }): readonly Use[] =>
    isRaised && isColumnPaidFrom(flow, column)
      ? [{ op, amount, words: `added to \`${nameOfColumn(column)}\``, asset: null }]
      : [],
  ),
]

/** `amount * fee / 10000`, `amount / 40` */
const isPartOf = (value: Op, whole: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'bin' || op.operator !== '/' || stripCasts(op.args[1]).kind !== 'const') return false
  const above = stripCasts(op.args[0])
  const factors = above.kind === 'bin' && above.operator === '*' ? above.args : [above]
  return (
    factors.some((factor) => isSameAmount(factor, whole)) &&
    factors.every((factor) => isSameAmount(factor, whole) || isRate(stripCasts(factor)))
  )
}

/** A fixed number, or one for the whole contract: what a holder has earned since is no fee. */
const isRate = ({ kind, location }: Op): boolean =>
  kind === 'const' || (kind === 'load' && location.space === 'state' && location.depth === 0)

const isPaidIn = (flow: Flow, amount: Op): boolean =>
  isMessageValue(amount) || incomingOf(flow).some((payment) => isSameAmount(payment.amount, amount))

const isWhole = (flow: Flow, use: Use, sources: readonly Op[]): boolean =>
  (flow.isPayable && isMessageValue(use.amount)) || sources.some((source) => isSameAmount(source, use.amount))

/** The part comes from somewhere else: it is charged on top, or its giver has an account that is debited. */
const isCovered = (flow: Flow, whole: Op, part: Op, sources: readonly Op[]): boolean =>
  sources.some(
    (source) =>
      !isSameAmount(source, whole) &&
      dependsOn(flow, source, (op) => isSameAmount(op, part) || isSameAmount(op, whole)),
  ) ||
  numberMovesOf(flow).some(({ amount, isRaised }) => !isRaised && isSameAmount(amount, part)) ||
  (flow.isPayable && !isMessageValue(whole) && !sources.some((source) => isSameAmount(source, whole)))

export const spentTwice = (flows: readonly Flow[]): readonly Violation[] =>
  flows.flatMap((flow) => {
    if (!flow.isEntryPoint || flow.isPartial) return []
    const uses = usesOf(flow)
    return uses.flatMap((whole): readonly Violation[] => {
      const sources = sourcesOf(flow, whole.op)
      if (stripCasts(whole.amount).kind === 'const' || !isWhole(flow, whole, sources)) return []
      const part = uses.find(
        (use) =>
          use.op !== whole.op &&
          isBesides(flow, use.op, whole.op) &&
          (use.asset === null || whole.asset === null || use.asset === whole.asset) &&
          isPartOf(use.amount, whole.amount) &&
          !isCovered(flow, whole.amount, use.amount, sources),
      )
      // `claimed += n; pay(n - n / 2)`: what was paid so far is noted, and no claim.
      if (part !== undefined && part.asset !== null && whole.asset === null && !isPaidIn(flow, whole.amount)) return []
      // Two claims that rise together may be a total and its parts.
      if (part === undefined || (part.asset === null && whole.asset === null && !isClaimOfOne(part.op, whole.op)))
        return []
      const text = `\`${flow.name}()\` has all of an amount ${whole.words}, and a part of the same amount ${part.words} without subtracting it, so the part is taken from what others have deposited`
      return [
        { rule: 'Fee not deducted', flow, at: whole.op, place: flow.inEntry(whole.op), text, kept: null, total: null },
      ]
    })
  })

/** Under different keys or none: `balances[user] += n; fees += n / 100`. */
const isClaimOfOne = (part: Op, whole: Op): boolean =>
  part.location !== null && whole.location !== null && part.location.variable !== whole.location.variable

/** `transferFrom(sender, this, n); shares = n * supply / balanceOf(this)`: the deposit stands on both sides of its own price. */
export const pricedByItself = (flows: readonly Flow[]): readonly Violation[] =>
  flows.flatMap((flow) => {
    if (!flow.isEntryPoint || flow.isPartial) return []
    return incomingOf(flow).flatMap((payment): readonly Violation[] => {
      const isPaid = (op: Op): boolean => isSameAmount(op, payment.amount)
      const isTakenOff = ({ kind, operator, args }: Op): boolean =>
        kind === 'bin' && operator === '-' && dependsOn(flow, args[1]!, isPaid)
      const isLaterBalance = (op: Op): boolean =>
        isOwnTokenBalance(op) &&
        isBefore(payment.op, op) &&
        flow.canFollow(payment.op, op) &&
        isOfToken(op, payment.token)
      const isPrice = ({ kind, operator, args }: Op): boolean =>
        kind === 'bin' &&
        operator === '/' &&
        dependsOn(flow, args[0]!, isPaid) &&
        dependsOn(flow, args[1]!, isLaterBalance) &&
        !dependsOn(flow, args[1]!, isTakenOff) &&
        !dependsOn(flow, args[0]!, isTakenOff)
      const credit = numberMovesOf(flow).find(
        ({ op, amount, isRaised }) => isRaised && keysOf(op.location).length > 0 && dependsOn(flow, amount, isPrice),
      )
      if (credit === undefined) return []
      const text = `\`${flow.name}()\` computes what it adds to \`${nameOfColumn(credit.column)}\` with a balance that already includes the deposit, so depositors receive too little`
      return [
        {
          rule: 'Deposit included in its own price',
          flow,
          at: credit.op,
          place: flow.inEntry(credit.op),
          text,
          kept: payment.op,
          total: null,
        },
      ]
    })
  })

const isOfToken = (balance: Op, token: Op | null): boolean => {
  const target = balance.kind === 'extract' ? balance.args[0].call?.target : balance.call?.target
  if (token === null || target == null) return true
  const [a, b] = [stripCasts(target), stripCasts(token)]
  // One of another function is another place of the same variable.
  return (
    sameValueOrPlace(a, b) || (a.kind === 'load' && b.kind === 'load' && a.location.variable === b.location.variable)
  )
}

/** `rewards = token.balanceOf(address(this))`, paid out, where the same token is what depositors may take back. */
export const depositsAsSurplus = ({ flows }: ContractFlow): readonly Violation[] => {
  const claims = flows.flatMap((flow) =>
    incomingOf(flow).flatMap(({ amount, token }) =>
      numberMovesOf(flow).flatMap((move) =>
        move.isRaised && keysOf(move.op.location).length > 0 && isSameAmount(move.amount, amount) && token !== null
          ? [{ flow, move, token }]
          : [],
      ),
    ),
  )
  if (claims.length === 0) return []
  return flows.flatMap((flow) =>
    flow.isConstructor
      ? []
      : flow.stateStores().flatMap((store): readonly Violation[] => {
          const held = stripCasts(store.args[0])
          if (!isOwnTokenBalance(held) || keysOf(store.location).length > 0 || store.location.variable === null)
            return []
          const isSpent = flows.some((payer) =>
            outgoingOf(payer).some(
              ({ amount }) => amount.kind === 'load' && amount.location.variable === store.location.variable,
            ),
          )
          const claim = claims.find(({ move, token }) => isOfToken(held, token) && isColumnPaidFrom(flow, move.column))
          if (!isSpent || claim === undefined) return []
          const text = `\`${flow.name}()\` sets \`${store.location.variable.name}\` to the whole balance, which includes the deposits in \`${nameOfColumn(claim.move.column)}\`, so deposits are paid out twice`
          return [{ rule: 'Deposits counted twice', flow, at: store, text, kept: claim.move.op, total: null }]
        }),
  )
}
