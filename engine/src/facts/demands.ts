/** What anyone who calls has to bring for something to be done: what a caller names at will is no demand. */

import { type BinaryOp, type Flow, isEquality, isOrdering, type Op, stripCasts } from '../ir/index.ts'
import { dependsOn } from './dependencies.ts'
import { guardsAt } from './guards.ts'
import { lockedAt } from './locks.ts'

/**
 * proof: something that must be equal to, or be verified by, what the caller does
 * not choose · offer: more than what is on record, which is then replaced · vacancy: what `op` replaces must allow it,
 * anyone who asks.
 */
export type Demand = 'proof' | 'offer' | 'vacancy'

/** What every path to `op` demands of any caller; null: nothing that not everybody has. */
export const demandAt = (flow: Flow, op: Op): Demand | null => {
  const lock = lockedAt(flow, op)?.location
  for (const { condition, polarity } of guardsAt(flow, op)) {
    // A lock may stand in the same record; it is free for anyone.
    if (lock && dependsOn(flow, condition, (part) => part.kind === 'load' && part.location === lock)) continue
    const demand = demandOf(flow, op, stripCasts(condition), polarity)
    if (demand !== null) return demand
  }
  return null
}

const isGiven = ({ kind }: Op): boolean => kind === 'param'
const isSenders = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'msg.sender'

const demandOf = (flow: Flow, op: Op, condition: Op, polarity: boolean): Demand | null => {
  const rests = (value: Op, on: (part: Op) => boolean): boolean => dependsOn(flow, value, on)
  if (!rests(condition, isGiven))
    return rests(condition, (part) => isReplacedBy(op, part)) && !rests(condition, isSenders) ? 'vacancy' : null
  if (condition.kind === 'call' || condition.kind === 'extract') return polarity ? 'proof' : null
  if (condition.kind !== 'bin') return null
  if (isEquality(condition.operator))
    return (condition.operator === '==') === polarity && isProof(flow, condition) ? 'proof' : null
  return isOrdering(condition.operator) && isReplaced(flow, condition) ? 'offer' : null
}

/** What was there before: nobody yet, or someone whose term is over. */
const isReplacedBy = ({ kind, location }: Op, part: Op): boolean =>
  kind === 'store' && location.variable !== null && part.kind === 'load' && part.location.variable === location.variable

/** One side is made of what the caller brings, and the other is not for the caller to say. */
const isProof = (flow: Flow, { args }: BinaryOp): boolean => {
  const [given, fixed] = dependsOn(flow, args[0], isGiven) ? args : [args[1], args[0]]
  if (dependsOn(flow, fixed, isGiven)) return false
  const other = stripCasts(fixed)
  if (other.kind !== 'const') return true
  return dependsOn(flow, given, ({ kind }) => kind === 'builtin' || kind === 'call')
}

/** `require(bid > best)`, and the bid becomes the best one. */
const isReplaced = (flow: Flow, { args }: BinaryOp): boolean =>
  flow
    .stateStores()
    .some(({ location }) =>
      args.some((side) => dependsOn(flow, side, (part) => part.kind === 'load' && part.location === location)),
    )
