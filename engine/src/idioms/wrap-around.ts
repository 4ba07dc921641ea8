/** Arithmetic that may wrap around, because what counts is a difference or a position: running totals, short clocks, last places. */
import { loopAround, partFor, rangeOf } from '../facts/index.ts'
import {
  type BinaryOp,
  budget,
  type Flow,
  isBefore,
  isEquality,
  isOrdering,
  type LoadOp,
  type Location,
  mayOverlapAcross,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import type { Type } from '../model/index.ts'
import { isModular } from './modular.ts'

/**
 * Arithmetic that is right although it wraps: numbers of twice the width (whose high half comes from `mulmod`), a clock cut
 * to fewer bits, the growth of a total since it was last noted; bytes that are moved to the front of a word; and the last index of a
 * list, which when the list is empty is none of its elements.
 */
export const isMeantToWrap = (flow: Flow, op: BinaryOp): boolean =>
  isWide(flow, op) ||
  isShortClock(flow, op, 0) ||
  (op.operator === '*' && isMovedToFront(flow, op)) ||
  (op.operator === '-' &&
    (isSinceNoted(flow, op) ||
      isLastIndex(flow, op) ||
      isPosition(flow, op) ||
      isReadAsSigned(flow, op) ||
      isSerial(flow, op))) ||
  isModular(flow, op)

const isWide = (flow: Flow, op: Op): boolean => {
  if (!flow.has('builtin')) return false
  const within = flow.writtenIn(op)
  return flow.builtins('mulmod').some((wide) => flow.writtenIn(wide) === within)
}

/**
 * `bytes1(bytes32(uint256(word) * 2 ** (8 * i)))`: a power of two moves the bits, and what is read as bytes has lost those before them on
 * purpose: those behind are cut off, or by how far it is moved is a place among them. All bytes of four times a number are that number.
 */
const isMovedToFront = (flow: Flow, op: BinaryOp): boolean => {
  const power = op.args.map(stripCasts).find(isPowerOfTwo)
  if (power === undefined || !isOnlyReadAs(flow, op, isFixedBytes)) return false
  return !isFixed(power) || usersOf(flow, op).every((bytes) => isCut(flow, bytes))
}

const isFixed = ({ kind, args }: Op): boolean => kind === 'const' || args.every(isConstant)

const isFixedBytes = (type: Type | null): boolean => type?.kind === 'fixedBytes'

/** Only the first bytes are left of it wherever it is used. */
const isCut = (flow: Flow, bytes: Op): boolean => {
  const type = flow.typeOf(bytes)
  if (type?.kind !== 'fixedBytes') return false
  const users = usersOf(flow, bytes)
  return type.size < 32 || (users.length > 0 && users.every((user) => user.kind === 'cast' && isCut(flow, user)))
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
    const isStillRead = isRead && isMeant(flow.typeOf(user))
    if (isStillRead ? isMadeOf(user) : user.kind === 'cast')
      return isRead && !isStillRead ? isOnlyReturnedOrLogged(flow, user, 0) : isOnlyReadAs(flow, user, isMeant, seen)
    return isRead && !isOrdering(user.operator)
  })
}

/** `abi.encodePacked(uint256(uint160(account)))` */
const isOnlyReturnedOrLogged = (flow: Flow, number: Op, depth: number): boolean =>
  depth <= budget.depth.putTogether &&
  usersOf(flow, number).every((user) => {
    if (user.kind === 'cast') return isOnlyReturnedOrLogged(flow, user, depth + 1)
    return user.kind === 'builtin' || user.kind === 'emit' || (user.kind === 'bin' && isEquality(user.operator))
  })

const isMadeOf = ({ kind }: Op): boolean =>
  kind === 'cast' || kind === 'phi' || kind === 'select' || kind === 'bin' || kind === 'un'

const usersOf = (flow: Flow, value: Op): readonly Op[] =>
  flow.usersOf(value).filter(({ kind, call }) => kind !== 'call' || !call.inlined)

const isPowerOfTwo = ({ kind, constant, operator, args }: Op): boolean => {
  if (kind === 'const') return constant !== null && constant > 0n && (constant & (constant - 1n)) === 0n
  return kind === 'bin' && operator === '**' && isPowerOfTwo(stripCasts(args[0]!))
}

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

/**
 * `int32(expiry - block.timestamp)`, of a moment of as many bits: numbers of a series, compared by how far they are apart in the circle.
 * In a wider signed number than the difference has bits there is no circle: what has wrapped around stays a large one.
 */
const isSerial = (flow: Flow, op: BinaryOp): boolean => {
  const { max } = rangeOf(flow.typeOf(op))
  const sides = op.args.map(stripCasts)
  const moment = sides.find((side) => !isNow(side))
  const users = flow.usersOf(op)
  if (moment === undefined || !sides.some(isNow) || users.length === 0) return false
  return users.every((user) => {
    const type = user.kind === 'cast' ? flow.typeOf(user) : null
    if (type?.kind !== 'int' || !type.signed) return false
    const circle = 1n << BigInt(type.bits)
    return rangeOf(flow.typeOf(moment)).max < circle && max >= circle - 1n
  })
}

const isFullWidth = (flow: Flow, op: Op): boolean => {
  const type = flow.typeOf(op)
  return type?.kind === 'int' && type.bits === 256
}

/** `total - noted[who]`, where only what the total was at some time is ever noted, and the total only grows. */
const isSinceNoted = (flow: Flow, { args }: Op): boolean => {
  const [total, noted] = args.map(stripCasts) as [Op, Op]
  return isPlace(total) && isPlace(noted) && isNoteOf(flow, noted.location, total.location)
}

/** Beyond that nobody goes through all accesses for each of them. */
const fewAccesses = 200

/** A read of a declared state variable or of a part of one. */
export const isPlace = (op: Op): op is LoadOp =>
  op.kind === 'load' && op.location.space === 'state' && op.location.variable !== null

const isNoteOf = (flow: Flow, note: Location, total: Location): boolean => {
  if (note.variable === total.variable && note.name === total.name) return false
  if (flow.contractFlow.writersOf(total.variable!).length > fewAccesses) return false
  if (flow.contractFlow.writersOf(note.variable!).length > fewAccesses) return false
  const notes = flow.contractFlow.writersTo(note)
  const isFormer = (store: StoreOp): boolean => {
    const value = stripCasts(partFor(note, store))
    if (value.kind === 'const') return value.constant === 0n
    return isPlace(value) ? isSamePart(value.location, total) : isGrowth(value, total)
  }
  return (
    notes.some(({ op }) => stripCasts(partFor(note, op)).kind !== 'const') &&
    notes.every(({ op }) => isFormer(op)) &&
    flow.contractFlow
      .writersOf(total.variable!)
      .every(
        ({ flow: writer, op }) =>
          writer.isConstructor ||
          !mayOverlapAcross(op.location, total) ||
          isGrowth(stripCasts(partFor(total, op)), total),
      )
  )
}

const isSamePart = (a: Location, b: Location): boolean =>
  a.variable === b.variable && a.part === b.part && a.name === b.name && a.depth === b.depth

/** `total + x`. */
const isGrowth = (value: Op, total: Location): boolean =>
  value.kind === 'bin' &&
  value.operator === '+' &&
  value.args.some((arg) => {
    const part = stripCasts(arg)
    return isPlace(part) && isSamePart(part.location, total)
  })

/** `list[positionOf[x] - 1]`: without a position it is none of the elements, and the access fails. */
const isPosition = (flow: Flow, op: Op): boolean => {
  const [noted, one] = op.args.map(stripCasts) as [Op, Op]
  if (noted.kind !== 'load' || noted.location.space !== 'state') return false
  if (one.kind !== 'const' || one.constant !== 1n || !flow.isIndex(op)) return false
  if (flow.usersOf(op).some(({ kind }) => kind !== 'load' && kind !== 'store')) return false
  for (const { index, parent } of flow.ir.locations)
    if (index !== null && stripCasts(index) === op && parent?.type?.kind !== 'array') return false
  return true
}

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
