/** Entries of accounting state: who they belong to, and by how much a store raises or lowers them. */

import { alternativesOf, type Location, type Op, type StoreOp, sameValue, stripCasts } from '../ir/index.ts'

/** The keys on the path to a place, innermost first: `allowed[owner][spender]` gives spender, owner. */
export const keysOf = (place: Location): Op[] => {
  const keys: Op[] = []
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.index !== null) keys.push(stripCasts(at.index))
  return keys
}

/** `a >= b ? (a - b, false) : (b - a, true)`: a difference with its sign, which is checked by who takes `a - b` from it. */
const differencesIn = (value: Op): readonly Op[] => {
  const both = alternativesOf(value).map(stripCasts)
  if (both.length !== 2 || !both.every(({ kind, operator }) => kind === 'bin' && operator === '-')) return [value]
  const [[a, b], [c, d]] = both.map(({ args }) => args.map(stripCasts)) as [[Op, Op], [Op, Op]]
  return sameValue(a, d) && sameValue(b, c) ? both : [value]
}

const changedBy = (store: StoreOp, operator: '+' | '-'): Op | null => {
  for (const value of store.flag ? [] : differencesIn(stripCasts(store.args[0]))) {
    const changed = changedIn(store, value, operator)
    if (changed !== null) return changed
  }
  return null
}

const changedIn = (store: StoreOp, value: Op, operator: '+' | '-'): Op | null => {
  if (value.kind !== 'bin' || value.operator !== operator) return null
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
