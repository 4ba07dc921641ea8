/** Trades on the well-known exchanges, recognized by the signature of the call, and what bounds their price. */

import { dependsOn, endsInRevert, Source, taintOf } from '../facts/index.ts'
import { type CallOp, type Flow, isOrdering, type Op, stripCasts } from '../ir/index.ts'
import { type ArgumentKey, type TradeShape, tradeShape } from '../knowledge/index.ts'
import { isPoolAnswer } from './spot-answers.ts'
import { isSelf } from './token-calls.ts'

export interface Trade {
  readonly op: Op
  readonly name: string
  /** The least amounts that it accepts. */
  readonly minimums: readonly Op[]
  /** What is given for it. */
  readonly given: readonly Op[]
  /** The argument that bounds what comes back, as the exchange names it. */
  readonly limit: { readonly name: string; readonly value: Op }
  readonly action: 'swap' | 'add' | 'remove'
  /** none: any amount is enough. spot: the bound follows the price of the moment. given: someone says what is enough. */
  readonly bound: 'none' | 'spot' | 'given'
  /** Not the caller alone pays or receives: what is lost is the contract's. */
  readonly isPooled: boolean
}

/** An argument, or a field of the struct that is put together for the call; null where that is done elsewhere. */
const argumentOf = (flow: Flow, op: Op, key: ArgumentKey): Op | null => {
  if (typeof key === 'number') return op.args[key] ?? null
  const [passed] = op.args
  const struct = passed?.kind === 'make' ? flow.typeOf(passed) : null
  if (!passed || struct?.kind !== 'struct') return null
  return passed.args[struct.struct.fields.findIndex(({ name }) => name === key)] ?? null
}

const argumentsOf = (flow: Flow, op: Op, keys: readonly ArgumentKey[]): Op[] =>
  keys.flatMap((key) => argumentOf(flow, op, key) ?? [])

/** One unit is as good as nothing. */
const isNothing = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant !== null && op.constant <= 1n
}

/** What came back is weighed afterwards against something that the trade does not decide. */
const isWeighedLater = (flow: Flow, trade: Op): boolean => {
  const isOutcome = (op: Op): boolean =>
    op === trade || (op.kind === 'call' && op.call.name === 'balanceOf' && flow.canFollow(trade, op))
  const bits = Source.param | Source.state | Source.outsiderState
  return [...flow.ops('assume').map(({ args }) => args[0]), ...revertingConditions(flow)].some((condition) => {
    if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return false
    const [left, right] = condition.args as [Op, Op]
    const weighs = (came: Op, wanted: Op): boolean =>
      dependsOn(flow, came, isOutcome) && (taintOf(flow, wanted) & bits) !== 0 && !dependsOn(flow, wanted, isOutcome)
    return weighs(left, right) || weighs(right, left)
  })
}

/** `if (out < least) revert …` */
const revertingConditions = (flow: Flow): Op[] =>
  flow.blocks.flatMap(({ condition, succs }) => {
    if (condition === null) return []
    return succs.some((next) => endsInRevert(flow, next)) ? [condition] : []
  })

const boundOf = (flow: Flow, minimums: readonly Op[], worstPrice: Op | null): Trade['bound'] => {
  if (worstPrice !== null && isGivenPrice(flow, worstPrice)) return 'given'
  if (minimums.some(isNothing)) return 'none'
  return minimums.some((value) => dependsOn(flow, value, isPoolAnswer)) ? 'spot' : 'given'
}

/** Neither a constant, such as the end of the scale, nor what the pool says it is now. */
const isGivenPrice = (flow: Flow, price: Op): boolean =>
  (taintOf(flow, price) & (Source.param | Source.state | Source.outsiderState)) !== 0 &&
  !dependsOn(flow, price, isPoolAnswer)

/** The first that asks for nothing, or the first of all. */
const limitOf = ({ leastNames }: TradeShape, minimums: readonly Op[]): Trade['limit'] => {
  const at = Math.max(minimums.findIndex(isNothing), 0)
  return { name: leastNames[at]!, value: minimums[at]! }
}

const actionOf = (name: string): Trade['action'] => {
  if (/^(?:add|mint|increase)/.test(name)) return 'add'
  return /^(?:remove|decrease)/.test(name) ? 'remove' : 'swap'
}

const isPooled = (flow: Flow, op: CallOp, { given, receiver }: TradeShape): boolean => {
  const to = receiver === null ? null : argumentOf(flow, op, receiver)
  if (to !== null && isSelf(to)) return true
  const paid = [...argumentsOf(flow, op, given), ...(op.call.value === null ? [] : [op.call.value])]
  return paid.length > 0 && paid.every((value) => (taintOf(flow, value) & (Source.param | Source.value)) === 0)
}

/** The trade that a call makes at an exchange whose interface is known, and how it bounds what comes back; null for any other call. */
export const tradeOf = (flow: Flow, op: Op): Trade | null => {
  const info = op.call
  if (info === null || info.kind !== 'external') return null
  const shape = tradeShape(info.name, op.args.length)
  if (shape === undefined || shape.least.length === 0) return null
  const minimums = argumentsOf(flow, op, shape.least)
  if (minimums.length < shape.least.length) return null
  const worstPrice = shape.worstPrice === null ? null : argumentOf(flow, op, shape.worstPrice)
  const bound = boundOf(flow, minimums, worstPrice)
  return {
    op,
    name: info.name,
    minimums,
    given: argumentsOf(flow, op, shape.given),
    limit: limitOf(shape, minimums),
    action: actionOf(info.name),
    bound: bound !== 'given' && isWeighedLater(flow, op) ? 'given' : bound,
    isPooled: isPooled(flow, op, shape),
  }
}

/** `path[0] = address(this)`, `addLiquidityETH(address(this), …)`: the contract's own tokens are given. */
export const givesOwnToken = (flow: Flow, op: Op): boolean =>
  op.call?.name.startsWith('addLiquidity') ? op.args.slice(0, 2).some(isSelf) : beginsWithItself(flow, op)

/** Whatever is put first in the path is the contract itself: what is written over afterwards says nothing. */
const beginsWithItself = (flow: Flow, op: Op): boolean => {
  const first = flow.ops('store').filter(({ location: { space, base, index } }) => {
    if (space !== 'memory' || base === null || index?.kind !== 'const' || index.constant !== 0n) return false
    return op.args.some((arg) => stripCasts(arg) === stripCasts(base))
  })
  return first.length > 0 && first.every(({ args }) => isSelf(args[0]))
}
