/** Entries of accounting state: who they belong to, and by how much a store raises or lowers them. */

import { dependsOn, isSender } from '../facts/index.ts'
import { type Flow, type Location, type Op, stripCasts } from '../ir/index.ts'
import { isSelf, tokenCalls } from './token-calls.ts'

/** The keys on the way to a place, innermost first: `allowed[owner][spender]` gives spender, owner. */
export const keysOf = (place: Location): Op[] => {
  const keys: Op[] = []
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.index !== null) keys.push(stripCasts(at.index))
  return keys
}

const changedBy = (store: Op, operator: '+' | '-'): Op | null => {
  const value = stripCasts(store.args[0]!)
  if (store.flag || value.kind !== 'bin' || value.operator !== operator) return null
  const [left, right] = value.args as [Op, Op]
  const isOld = (side: Op): boolean => {
    const op = stripCasts(side)
    return op.kind === 'load' && op.location === store.location
  }
  if (isOld(left)) return stripCasts(right)
  return operator === '+' && isOld(right) ? stripCasts(left) : null
}

/** By how much a store lowers its own place: the `x` of `place -= x`. */
export const loweredBy = (store: Op): Op | null => changedBy(store, '-')

/** By how much a store raises its own place: the `x` of `place += x`. */
export const raisedBy = (store: Op): Op | null => changedBy(store, '+')

/** The caller gives something for it: ether, or tokens that come in. */
export const bringsSomething = (flow: Flow): boolean =>
  flow.isPayable || tokenCalls(flow).some(({ from, to }) => from !== null && !isSelf(from) && !isSender(to))

/** Ether or tokens go to this account. */
export const isPaid = (flow: Flow, account: Op): boolean =>
  tokenCalls(flow).some(({ name, to }) => name !== 'approve' && stripCasts(to) === account) ||
  flow.sends().some(({ call }) => call.target !== null && stripCasts(call.target) === account)

/** A payment of ether or tokens somewhere in the contract whose amount is read from this variable. */
export const isPaidFrom = (flow: Flow, variable: object): boolean =>
  flow.contractFlow.entryPoints.some((payer) => {
    const isEntry = (op: Op): boolean => op.kind === 'load' && op.location.variable === variable
    return paymentsOf(payer).some((amount) => dependsOn(payer, amount, isEntry))
  })

const paymentsOf = (flow: Flow): Op[] => [
  ...tokenCalls(flow).flatMap(({ name, from, amount }) =>
    name === 'transfer' || (from !== null && isSelf(from)) ? [amount] : [],
  ),
  ...flow.sends().map(({ call }) => call.value!),
]
