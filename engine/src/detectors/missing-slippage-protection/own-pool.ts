/** Trades with the contract itself: it takes one asset and gives another, at a price that follows what it holds by then. */
import { dependsOn, isProtected, isSender, parametersIn } from '../../facts/index.ts'
import {
  entriesOf,
  incomingOf,
  isForCaller,
  isMessageValue,
  isOwnEther,
  isOwnTokenBalance,
  keysOf,
  outgoingOf,
  type Payment,
} from '../../idioms/index.ts'
import { type CallOp, type Flow, type Op, sameValue, sameValueOrPlace, stripCasts } from '../../ir/index.ts'

export interface OwnTrade {
  readonly op: CallOp
  /** Whether the caller pays the computed amount, or receives it. */
  readonly isCharged: boolean
}

/** The amount that is computed, where the caller states no limit for it. */
export const ownTradeIn = (flow: Flow): OwnTrade | null => {
  const given = outgoingOf(flow).filter(isForCaller)
  if (given.length === 0) return null
  // What is credited to an account is no price.
  const taken = incomingOf(flow).filter(
    ({ from, amount }) => from !== null && isSender(from) && !isCredited(flow, amount),
  )
  for (const out of given) {
    for (const payment of taken) {
      if (isSameAsset(payment, out)) continue
      if (isOpenPrice(flow, payment.amount) && isPricedBy(flow, payment.amount, out.amount))
        return { op: payment.op, isCharged: true }
      if (isOpenPrice(flow, out.amount) && isPricedBy(flow, out.amount, payment.amount))
        return { op: out.op, isCharged: false }
    }
    const isForEther = flow.isPayable && out.asset === 'token' && dependsOn(flow, out.amount, isMessageValue)
    if (isForEther && isOpenPrice(flow, out.amount)) return { op: out.op, isCharged: false }
  }
  return null
}

const isCredited = (flow: Flow, amount: Op): boolean =>
  entriesOf(flow).some((entry) => entry.isRaised && sameValue(entry.amount, amount))

const isSameAsset = (a: Payment, b: Payment): boolean =>
  a.asset === b.asset && a.token !== null && b.token !== null && sameValueOrPlace(a.token, b.token)

/** One is computed from what the caller says about the other. */
const isPricedBy = (flow: Flow, price: Op, amount: Op): boolean => {
  const named = parametersIn(flow, amount)
  return [...parametersIn(flow, price)].some((param) => named.has(param))
}

const isNamed = (flow: Flow, amount: Op): boolean => dependsOn(flow, amount, ({ kind }) => kind === 'param')

/** Others move it, and the caller has no say in how far. */
const isOpenPrice = (flow: Flow, amount: Op): boolean =>
  stripCasts(amount).kind !== 'param' &&
  dependsOn(flow, amount, (part) => isHolding(flow, part)) &&
  !isLimited(flow, amount)

/** What this contract holds, or a total of it that each trade changes. */
const isHolding = (flow: Flow, part: Op): boolean => {
  if (isOwnTokenBalance(part) || isOwnEther(part)) return true
  if (part.kind !== 'load' || part.location.space !== 'state' || keysOf(part.location).length > 0) return false
  return flow.stateStores().some(({ location }) => location === part.location)
}

/** The amount, or what it is computed from, is compared with a number of the caller's. */
const isLimited = (flow: Flow, amount: Op): boolean =>
  flow.ops('bin').some(({ operator, args }) => {
    if (!/^([<>]=?|==|!=)$/.test(operator)) return false
    return args.some((limit, i) => {
      const other = stripCasts(args[1 - i]!)
      if (!isNamed(flow, limit) || other.kind === 'const' || other.kind === 'param') return false
      return (
        dependsOn(flow, amount, (part) => part === other) ||
        dependsOn(flow, other, (part) => part === stripCasts(amount))
      )
    })
  })

export const isOpenTrade = (flow: Flow, { op }: OwnTrade): boolean => !isProtected(flow, op)
