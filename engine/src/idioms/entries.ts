/** Entries of accounting state: who they belong to, and by how much a store raises or lowers them. */

import { type Location, type Op, type StoreOp, stripCasts } from '../ir/index.ts'

/** The keys on the path to a place, innermost first: `allowed[owner][spender]` gives spender, owner. */
export const keysOf = (place: Location): Op[] => {
  const keys: Op[] = []
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.index !== null) keys.push(stripCasts(at.index))
  return keys
}

const changedBy = (store: StoreOp, operator: '+' | '-'): Op | null => {
  const value = stripCasts(store.args[0])
  if (store.flag || value.kind !== 'bin' || value.operator !== operator) return null
  const [left, right] = value.args as [Op, Op]
  const isOld = (side: Op): boolean => {
    const op = stripCasts(side)
    return op.kind === 'load' && (op.location === store.location || isCopyOf(op.location, store.location))
  }
  if (isOld(left)) return stripCasts(right)
  return operator === '+' && isOld(right) ? stripCasts(left) : null
}

/** `Account memory account = accounts[id]; accounts[id].debt = account.debt + n`: the same field in a copy of the record. */
const isCopyOf = ({ space, part, base, name, depth }: Location, kept: Location): boolean => {
  if (space !== 'memory' || part !== 'field' || base === null || depth !== 1 || kept.part !== 'field') return false
  const copied = stripCasts(base)
  return copied.kind === 'load' && copied.location === kept.parent && name === kept.name
}

/** By how much a store lowers its own place: the `x` of `place -= x`. */
export const loweredBy = (store: StoreOp): Op | null => changedBy(store, '-')

/** By how much a store raises its own place: the `x` of `place += x`. */
export const raisedBy = (store: StoreOp): Op | null => changedBy(store, '+')
