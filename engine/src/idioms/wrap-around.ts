/** Arithmetic that may wrap around, because what counts is a difference or a position: running totals, short clocks, last places. */
import { loopAround } from '../facts/index.ts'
import {
  type BinaryOp,
  budget,
  type Flow,
  isBefore,
  isOrdering,
  type LoadOp,
  type Location,
  type Op,
  stripCasts,
} from '../ir/index.ts'
import type { Type } from '../model/index.ts'

/**
 * Arithmetic that is right although it wraps: numbers of twice the width (whose high half comes from `mulmod`), a clock cut
 * to fewer bits, the growth of a total since it was last noted; bytes that are moved to the front of a word; and the last index of a
 * list, which when the list is empty is none of its elements.
 */
export const isMeantToWrap = (flow: Flow, op: BinaryOp): boolean =>
  isWide(flow, op) ||
  isShortClock(flow, op, 0) ||
  (op.operator === '-' && (isLastIndex(flow, op) || isReadAsSigned(flow, op)))

const isWide = (flow: Flow, op: Op): boolean => {
  if (!flow.has('builtin')) return false
  const within = flow.writtenIn(op)
  return flow.builtins('mulmod').some((wide) => flow.writtenIn(wide) === within)
}

/**
 * Nothing is done with a number but to read it as something else. Of that nobody makes a number again, but to write it into data or to ask
 * whether it is the same, nor asks which is larger.
 */
export const isOnlyReadAs = (
  flow: Flow,
  value: Op,
  isMeant: (type: Type | null) => boolean,
  seen: Set<Op> = new Set(),
): boolean => {
  if (seen.has(value)) return true
  seen.add(value)
  const isRead = isMeant(flow.typeOf(value))
  const users = usersOf(flow, value)
  if (!isRead && users.length === 0) return false
  return users.every((user) => {
    if (user.kind !== 'cast' || (isRead && isMeant(flow.typeOf(user)))) return isRead && !isOrdering(user.operator)
    return !isRead && isOnlyReadAs(flow, user, isMeant, seen)
  })
}

const usersOf = (flow: Flow, value: Op): readonly Op[] =>
  flow.usersOf(value).filter(({ kind, call }) => kind !== 'call' || !call.inlined)

/** `uint32(block.timestamp) - last`, and what is weighted with it in a struct that is put together here. */
const isShortClock = (flow: Flow, value: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'bin' || depth > budget.depth.shortClock) return false
  if (op.operator === '-') {
    const type = flow.typeOf(op)
    return type?.kind === 'int' && type.bits <= 64 && isNow(stripCasts(op.args[0]))
  }
  if (depth === 0 && !isPutTogether(flow, op, 0)) return false
  return op.args.some((arg) => isBefore(arg, op) && isShortClock(flow, arg, depth + 1))
}

const isPutTogether = (flow: Flow, op: Op, depth: number): boolean => {
  const users = flow.usersOf(op)
  return (
    users.length > 0 &&
    depth < budget.depth.putTogether &&
    users.every(
      (user) =>
        user.kind === 'make' || ((user.kind === 'bin' || user.kind === 'cast') && isPutTogether(flow, user, depth + 1)),
    )
  )
}

/**
 * `int(now - start)`, also some times as much: read as a signed number it is the difference, whichever of the two is larger. A narrower
 * number is not: what has wrapped around in it is widened as a large one.
 */
const isReadAsSigned = (flow: Flow, op: Op, depth = 0): boolean => {
  if (!isFullWidth(flow, op)) return false
  const users = flow.usersOf(op).filter(({ kind, call }) => kind !== 'call' || !call.inlined)
  return (
    users.length > 0 &&
    depth <= budget.depth.putTogether &&
    users.every((user) => {
      if (user.kind === 'cast') {
        const type = flow.typeOf(user)
        const isSigned = type?.kind === 'int' && type.signed
        return isSigned ? isFullWidth(flow, user) : isReadAsSigned(flow, user, depth + 1)
      }
      const isResidue = user.kind === 'bin' && !user.flag && /^[-+*]$/.test(user.operator)
      return isResidue && isReadAsSigned(flow, user, depth + 1)
    })
  )
}

const isFullWidth = (flow: Flow, op: Op): boolean => {
  const type = flow.typeOf(op)
  return type?.kind === 'int' && type.bits === 256
}

/** A read of a declared state variable or of a part of one. */
export const isPlace = (op: Op): op is LoadOp =>
  op.kind === 'load' && op.location.space === 'state' && op.location.variable !== null

/** `list[list.length - 1]`, `i < list.length - 1`: used as an index, or as the end of a loop over the list. */
const isLastIndex = (flow: Flow, op: BinaryOp): boolean => {
  const count = stripCasts(op.args[0])
  if (!isConstant(op.args[1]) || count.kind !== 'load' || count.location.part !== 'length') return false
  const list = count.location.parent
  const isIndexed = flow.ir.locations.some(
    ({ index, parent }) => index !== null && stripCasts(index) === op && parent === list,
  )
  const users = flow.usersOf(op).filter(({ kind }) => kind !== 'load' && kind !== 'store')
  if (!isIndexed && users.length === 0) return false
  const loop = loopAround(flow, op)
  return users.every(
    (user) =>
      user.kind === 'bin' &&
      isOrdering(user.operator) &&
      loop?.condition?.kind === 'bin' &&
      isRunThrough(flow, loop.condition, list) &&
      (loop.condition === user || loop.condition.args.some((end) => isShortened(stripCasts(end), list))),
  )
}

/** `list.length - 1`, which the counter is below: there are more elements than that. */
const isShortened = ({ kind, operator, args }: Op, list: Location | null): boolean => {
  const count = kind === 'bin' && operator === '-' ? stripCasts(args[0]) : null
  return count !== null && count.kind === 'load' && count.location.part === 'length' && count.location.parent === list
}

/** The counter of the loop indexes the list, so that a round too many ends in a revert. */
const isRunThrough = (flow: Flow, { args }: Op, list: Location | null): boolean =>
  flow.ir.locations.some(
    ({ index, parent }) =>
      index !== null && parent === list && args.some((side) => stripCasts(side) === stripCasts(index)),
  )

/** A number that is written into the code, also converted. */
export const isConstant = (value: Op): boolean => stripCasts(value).kind === 'const'

/** The clock: `block.timestamp` or `block.number`, also cut by a remainder. */
export const isNow = (op: Op): boolean => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number'
  return op.kind === 'bin' && op.operator === '%' && isNow(stripCasts(op.args[0]))
}
