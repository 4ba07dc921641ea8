/** Amounts that a caller names and then pays with: they exist, so they are no larger than all there is. */

import { argumentsIn, guardsAt, includesArgument, isUntrusted } from '../facts/index.ts'
import { type BasicBlock, type Flow, isEquality, isZero, type Op, sameValue, stripCasts } from '../ir/index.ts'
import { keysOf } from './entries.ts'
import { isMessageValue } from './paid-ether.ts'
import { tokenCalls } from './token-calls.ts'

/**
 * Every way through `at` that does not revert pays as much as the caller names, in ether or in a token that no outsider chose, or
 * names nothing. A payment on one of two ways bounds nothing: the caller takes the other.
 */
export const isPaidFor = (flow: Flow, amount: Op, at: Op): boolean =>
  flow.remember(
    flow.remember(isPaidFor, amount, () => ({})),
    at,
    () => isPaidOnEveryPath(flow, amount, at),
  )

const isPaidOnEveryPath = (flow: Flow, amount: Op, at: Op): boolean => {
  const payments = flow
    .answerAbout(amount, paymentsOf)
    .flatMap(({ op, untrusted }) => (untrusted === null || isKeptUnder(flow, at, untrusted) ? [op] : []))
  if (payments.length === 0) return false
  if (payments.some((payment) => flow.dominates(payment, at) || flow.isFollowedBy(at, payment))) return true
  const walk = { flow, amount, at, paid: new Set(payments.map(({ block }) => block)) }
  return !leadsOn(walk, 0, at.block) || !leadsOn(walk, at.block, null)
}

interface Payment {
  readonly op: Op
  /** A token that an outsider chose, whose answers prove nothing. */
  readonly untrusted: Op | null
}

/** Where tokens of that number are taken, or the ether that came with the call is required to be as much. */
const paymentsOf = (flow: Flow, amount: Op): readonly Payment[] => {
  const found: Payment[] = []
  for (const { name, amount: moved, token, op } of tokenCalls(flow))
    if (name === 'transferFrom' && sameValue(moved, amount) && token !== null)
      found.push({ op, untrusted: isUntrusted(flow, token, op) ? token : null })
  if (flow.usesEnvironment('msg.value'))
    for (const op of flow.ops('assume'))
      if (isSameAsEther(stripCasts(op.args[0]), amount)) found.push({ op, untrusted: null })
  return found
}

/** `funds[keccak256(abi.encode(token, start))] += amount`: a false token only spoils records that name it. */
const isKeptUnder = (flow: Flow, counted: Op, token: Op): boolean => {
  const stores = flow.stateStores().filter((store) => store === counted || stripCasts(store.args[0]) === counted)
  const named = argumentsIn(flow, token, 'data')
  return (
    named.length > 0 &&
    stores.length > 0 &&
    stores.every(({ location }) =>
      keysOf(location).some((key) => {
        const inKey = argumentsIn(flow, key, 'data')
        return named.every((part) => inKey.some((whole) => includesArgument(whole, part)))
      }),
    )
  )
}

/** `require(msg.value == amount)` */
const isSameAsEther = (condition: Op, amount: Op): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== '==') return false
  return (
    condition.args.some((side) => isMessageValue(stripCasts(side))) &&
    condition.args.some((side) => sameValue(side, amount))
  )
}

interface Walk {
  readonly flow: Flow
  readonly amount: Op
  readonly at: Op
  /** Blocks in which it is paid. */
  readonly paid: ReadonlySet<number>
}

/** Some way leads from the one block to the other, or to the end, and pays nothing. */
const leadsOn = (walk: Walk, from: number, to: number | null): boolean => {
  const { flow, paid } = walk
  const seen = new Set([from])
  for (const id of seen) {
    if (paid.has(id)) continue
    if (id === to) return true
    const block = flow.blocks[id]!
    if (to === null && flow.ir.exits.includes(id)) return true
    for (const next of successorsOf(walk, block)) seen.add(next)
  }
  return false
}

/** Which ways on are open to an amount that is not nothing, and agree with what was decided for getting to the place in question. */
const successorsOf = ({ flow, amount, at }: Walk, { condition, succs }: BasicBlock): readonly number[] => {
  if (condition === null || succs.length !== 2) return succs
  const decided =
    guardsAt(flow, at).find((guard) => sameValue(guard.condition, condition))?.polarity ??
    saysSomething(condition, amount)
  return decided === null ? succs : [succs[decided ? 0 : 1]!]
}

/** How `amount > 0`, `amount != 0` and `amount == 0` come out for an amount that is not nothing. */
const saysSomething = (condition: Op, amount: Op): boolean | null => {
  if (condition.kind !== 'bin') return null
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const isAmount = (side: Op): boolean => sameValue(side, amount)
  if (isEquality(condition.operator))
    return (isAmount(left) && isZero(right)) || (isAmount(right) && isZero(left)) ? condition.operator === '!=' : null
  if (condition.operator === '>') return isAmount(left) && isZero(right) ? true : null
  return condition.operator === '<' && isZero(left) && isAmount(right) ? true : null
}
