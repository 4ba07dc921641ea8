/**
 * Locks by behavior: some state is tested on every path to the call, then set on every path to the call to a value with
 * which the test fails, so that a second entry stops there. Also counters that are raised before the call and compared
 * after it, and the locks of known libraries. Names are not looked at.
 */

import {
  budget,
  type CallOp,
  type Flow,
  groupBy,
  isBefore,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import { missingModifierEffect, type VariableModel } from '../model/index.ts'
import { firstPast, type Span } from '../syntax/index.ts'
import type { Fact } from './conditions.ts'
import { fromFactsAt, guardsAt, pointAt } from './guards.ts'
import { gatherUpTo, type Known } from './points.ts'

export interface Lock extends Span {
  /** The state that holds the lock; null for the lock of a known library. */
  readonly variable: VariableModel | null
  readonly location: Location | null
  readonly op: Op
}

/** The lock held when `op` runs: state tested and set before it so that a second entry fails. */
export const lockedAt = (flow: Flow, op: Op): Lock | null => flow.answerAbout(op, findLock)

const findLock = (flow: Flow, op: Op): Lock | null => {
  const known = gatherUpTo(pointAt(flow, op), flow.answer(createLockCalls), ({ call }) =>
    call !== null && isLockCall(call) ? [call] : [],
  )[0]
  if (known !== undefined) return { variable: null, location: null, op: known, start: known.start, end: known.end }
  if (flow.stateStores().length === 0) return null
  const tested = testedLock(flow, op)
  if (tested?.location && !isInRecord(tested.location)) return tested
  return branchedLock(flow, op) ?? namedLock(flow, op) ?? countedLock(flow, op) ?? tested
}

const createLockCalls = (): Map<Known, readonly CallOp[]> => new Map()

/** The lock of a known library, taken by its modifier or its function. */
const isLockCall = ({ decl, operator, call: { definition, name } }: CallOp): boolean => {
  if (decl !== null && decl.kind === 'modifier') return decl.effect === 'lock'
  const isMissing = decl === null && definition === null && operator === 'modifier'
  return (isMissing ? missingModifierEffect(name) : definition?.effect) === 'lock'
}

/** Writes that can take a lock: what they write is a constant or a name, and some condition tests the place. */
interface Takers {
  readonly constant: ReadonlyMap<Location, readonly StoreOp[]>
  readonly named: readonly StoreOp[]
  /** All writes, by their place. */
  readonly stores: ReadonlyMap<Location, readonly StoreOp[]>
  /** Places in structs that can be tested in a copy of the struct, by the struct. */
  readonly fields: ReadonlyMap<Location, readonly Location[]>
}

/** Worked out once for a flow: most writes are to places that nothing tests, and a lock is looked up at many points. */
const findTakers = (flow: Flow): Takers => {
  const isTested = testedPlaces(flow)
  const tested = flow.stateStores().filter(({ location }) => isTested(location))
  const placeOf = ({ location }: StoreOp): Location => location
  const constant = groupBy(
    tested.filter((store) => markIn(store) !== null),
    placeOf,
  )
  return {
    constant,
    named: tested.filter(({ args }) => stripCasts(args[0]).kind === 'unknown'),
    stores: groupBy(flow.stateStores(), placeOf),
    fields: groupBy(
      [...constant.keys()].filter(({ part, parent }) => part === 'field' && parent !== null),
      ({ parent }) => parent!,
    ),
  }
}

/** The places that conditions read, by themselves or in a copy of the struct around them. */
const testedPlaces = (flow: Flow): ((place: Location) => boolean) => {
  const read = new Set<Location>()
  const copied = new Set<Location>()
  const seen = new Set<Op>()
  const work = flow.ops('assume').map(({ args }) => args[0] as Op)
  for (const { condition } of flow.blocks) if (condition !== null) work.push(condition)
  while (work.length > 0) {
    const op = work.pop()!
    if (seen.has(op)) continue
    seen.add(op)
    if (op.kind === 'load') {
      read.add(op.location)
      const struct = op.location.space === 'memory' && op.location.base !== null ? stripCasts(op.location.base) : null
      if (struct?.kind === 'load') copied.add(struct.location)
    } else if (['bin', 'un', 'cast', 'phi', 'select'].includes(op.kind)) work.push(...op.args)
  }
  return (place) => read.has(place) || (place.parent !== null && copied.has(place.parent))
}

const lockBy = (store: StoreOp): Lock => ({
  variable: store.location.variable,
  location: store.location,
  op: store,
  start: store.start,
  end: store.end,
})

/** So many of the last tests, and of the last writes, of one place are looked at: a lock is tested and taken just before what it guards. */
const lastOnes = budget.work.lockTests

const testedLock = (flow: Flow, op: Op): Lock | null => {
  const takers = flow.answer(findTakers)
  if (takers.constant.size === 0) return null
  let ofRecord: Lock | null = null
  for (const [place, tests] of testsByPlace(takers, fromFactsAt(flow, op, testsIn))) {
    const lock = lockOf(flow, op, takers.constant.get(place)!, tests, takers.stores.get(place)!)
    if (lock === null) continue
    if (!isInRecord(place)) return lock
    ofRecord ??= lock
  }
  return ofRecord
}

/** The mark of one record keeps that record from being used twice; a lock of the contract says more. */
const isInRecord = (place: Location): boolean =>
  place.part === 'index' || (place.parent !== null && isInRecord(place.parent))

/** A condition that holds, and the read that it tests. */
interface Test {
  readonly fact: Fact
  readonly load: LoadOp
}

const testsIn = (_: Flow, fact: Fact): readonly Test[] => {
  const load = testedLoad(fact.condition)
  return load === null ? [] : [{ fact, load }]
}

/** The latest tests of each place that can be locked. */
const testsByPlace = (takers: Takers, tests: readonly Test[]): ReadonlyMap<Location, readonly Test[]> => {
  const byPlace = new Map<Location, Test[]>()
  for (let i = tests.length - 1; i >= 0; i--)
    for (const place of placesTested(takers, tests[i]!.load)) {
      const known = byPlace.get(place)
      if (known === undefined) byPlace.set(place, [tests[i]!])
      else if (known.length < lastOnes) known.push(tests[i]!)
    }
  return byPlace
}

/** The place that is read, or the same field of the struct that was copied to memory. */
const placesTested = ({ constant, fields }: Takers, { location }: LoadOp): readonly Location[] => {
  if (constant.has(location)) return [location]
  if (location.space !== 'memory' || location.part !== 'field' || location.base === null || location.depth !== 1)
    return []
  const copied = stripCasts(location.base)
  if (copied.kind !== 'load') return []
  return fields.get(copied.location)?.filter(({ name }) => name === location.name) ?? []
}

const lockOf = (
  flow: Flow,
  op: Op,
  takers: readonly StoreOp[],
  tests: readonly Test[],
  stores: readonly StoreOp[],
): Lock | null => {
  const last = firstPast(takers, (store) => isBefore(op, store))
  for (const store of takers.slice(Math.max(0, last - lastOnes), last)) {
    if (!flow.canFollow(store, op)) continue
    for (const { fact, load } of tests) {
      if (isBefore(store, load)) continue
      const closes = (other: StoreOp): boolean => isBefore(load, other) && isRefused(fact, load, markIn(other))
      if (!closes(store) || isReleasedBefore(flow, stores, store, op, closes)) continue
      if (flow.dominates(store, op) || isPassed(flow, stores.filter(closes), op)) return lockBy(store)
    }
  }
  return null
}

/** Every path to `op` takes a lock of its own: Solady's is in transient storage on one chain and in storage on the others. */
const branchedLock = (flow: Flow, op: Op): Lock | null => {
  const takers = flow.answer(findSelfTested)
  const [first] = takers
  if (takers.length < 2 || !isPassed(flow, takers, op)) return null
  const { stores } = flow.answer(findTakers)
  const isReleased = takers.some(
    (store) =>
      isBefore(store, op) &&
      flow.canFollow(store, op) &&
      isReleasedBefore(flow, stores.get(store.location)!, store, op, (other) => takers.includes(other)),
  )
  return isReleased ? null : lockBy(first!)
}

/** Writes that lock a place which was tested before them on every path. */
const findSelfTested = (flow: Flow): readonly StoreOp[] => {
  const takers = flow.answer(findTakers)
  return [...takers.constant].flatMap(([place, stores]) =>
    stores.filter((store) =>
      testsByPlace(takers, fromFactsAt(flow, store, testsIn))
        .get(place)
        ?.some(({ fact, load }) => isBefore(load, store) && isRefused(fact, load, markIn(store))),
    ),
  )
}

/** What a lock is set to: a number, or this contract's address, which stands for itself and is not zero. */
type Mark = bigint | 'this'

const markIn = ({ args }: StoreOp): Mark | null => markOf(stripCasts(args[0]))

const markOf = ({ kind, constant, operator }: Op): Mark | null =>
  kind === 'const' ? constant : kind === 'env' && operator === 'this' ? 'this' : null

/** With this value in its place the test fails. */
const isRefused = ({ condition, polarity }: Fact, load: Op, value: Mark | null): boolean =>
  value !== null && evaluate(condition, load, value) === !polarity

/** Every way to `op` goes through one of these. */
const isPassed = (flow: Flow, ops: readonly Op[], op: Op): boolean => {
  const closed = new Set(ops.filter((other) => isBefore(other, op)).map(({ block }) => block))
  if (closed.size < 2) return false
  const seen = new Set<number>()
  const work = [op.block]
  while (work.length > 0) {
    const at = work.pop()!
    if (seen.has(at) || closed.has(at)) continue
    if (at === 0) return false
    seen.add(at)
    work.push(...flow.blocks[at]!.preds)
  }
  return true
}

/**
 * With names of a missing file: the test demands one, another is put there before the call, and the one that was demanded
 * is put back after it. Were both the same, neither write would do anything.
 */
const namedLock = (flow: Flow, op: Op): Lock | null => {
  const { named, stores } = flow.answer(findTakers)
  for (const store of named) {
    const taken = stripCasts(store.args[0])
    if (isBefore(op, store) || !flow.dominates(store, op)) continue
    for (const { condition, polarity } of guardsAt(flow, op)) {
      const open = openName(condition, polarity, store)
      if (open === null || open === taken) continue
      const ofPlace = stores.get(store.location)!
      const isOpened = (other: StoreOp): boolean => stripCasts(other.args[0]) === open
      const isReleased = ofPlace.some((other) => isOpened(other) && isBefore(op, other) && flow.isFollowedBy(op, other))
      if (isReleased && !isReleasedBefore(flow, ofPlace, store, op, () => false)) return lockBy(store)
    }
  }
  return null
}

/** The name that the place had to hold before it was written. */
const openName = (condition: Op, polarity: boolean, store: StoreOp): Op | null => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return null
  const sides = condition.args.map(stripCasts)
  const load = sides.find((side) => side.kind === 'load' && side.location === store.location && isBefore(side, store))
  return load === undefined ? null : (sides.find((side) => side.kind === 'unknown') ?? null)
}

/** Written again between taking the lock and the call; `stores` are those of its place, in program order. */
const isReleasedBefore = (
  flow: Flow,
  stores: readonly StoreOp[],
  taken: Op,
  op: Op,
  closes: (store: StoreOp) => boolean,
): boolean => {
  for (let i = firstPast(stores, (store) => isBefore(taken, store)); i < stores.length; i++) {
    const store = stores[i]!
    if (!isBefore(store, op)) return false
    if (!closes(store) && flow.canFollow(store, op)) return true
  }
  return false
}

const testedLoad = (condition: Op): LoadOp | null => {
  const op = stripCasts(condition)
  if (op.kind === 'load') return op
  if (op.kind === 'un') return testedLoad(op.args[0])
  if (op.kind === 'bin') {
    const left = stripCasts(op.args[0])
    const right = stripCasts(op.args[1])
    if (left.kind === 'load' && markOf(right) !== null) return left
    if (right.kind === 'load' && markOf(left) !== null) return right
  }
  return null
}

/** The condition's truth with `value` in place of the load; null when it cannot be known. */
const evaluate = (condition: Op, load: Op, value: Mark): boolean | null => {
  const mark = markAfter(stripCasts(condition), load, value)
  return mark === null ? null : mark !== 0n
}

const markAfter = (op: Op, load: Op, value: Mark): Mark | null => {
  if (op === load) return value
  if (op.kind === 'un' && op.operator === '!') {
    const inner = markAfter(stripCasts(op.args[0]), load, value)
    return inner === null ? null : inner === 0n ? 1n : 0n
  }
  if (op.kind !== 'bin') return markOf(op)
  const a = markAfter(stripCasts(op.args[0]), load, value)
  const b = markAfter(stripCasts(op.args[1]), load, value)
  if (a === null || b === null) return null
  const isTrue = compare(op.operator, a, b)
  return isTrue === null ? null : isTrue ? 1n : 0n
}

const compare = (operator: string, a: Mark, b: Mark): boolean | null => {
  if (a === 'this' || b === 'this') {
    // Only zero is known to be another address.
    if (a !== b && a !== 0n && b !== 0n) return null
    return operator === '==' ? a === b : operator === '!=' ? a !== b : null
  }
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return null
  }
}

/** A counter that is raised, and a later requirement that it is still what it was raised to. */
interface Counter {
  readonly raise: StoreOp
  readonly check: Op
  /** The reads of the counter that the requirement compares. */
  readonly reads: readonly Op[]
}

const findCounters = (flow: Flow): readonly Counter[] => {
  const raises = flow.stateStores().filter(({ args }) => {
    const { kind, operator } = stripCasts(args[0])
    return kind === 'bin' && operator === '+'
  })
  if (raises.length === 0) return []
  const byValue = new Map<Op, StoreOp[]>()
  for (const raise of raises) {
    const value = stripCasts(raise.args[0])
    byValue.set(value, [...(byValue.get(value) ?? []), raise])
  }
  return flow.ops('assume').flatMap((check) => {
    const condition = check.args[0]
    if (condition.kind !== 'bin' || condition.operator !== '==') return []
    const sides = condition.args.map(stripCasts)
    return sides
      .flatMap((side) => byValue.get(side) ?? [])
      .map((raise) => ({
        raise,
        check,
        reads: sides.filter((side) => side.kind === 'load' && side.location === raise.location),
      }))
  })
}

/** `counter += 1; let c = counter; _; require(c == counter);` */
const countedLock = (flow: Flow, op: Op): Lock | null => {
  for (const { raise, check, reads } of flow.answer(findCounters)) {
    if (isBefore(op, raise) || !flow.dominates(raise, op)) continue
    if (isBefore(check, op) || !flow.isFollowedBy(op, check)) continue
    if (reads.some((read) => isBefore(op, read))) return lockBy(raise)
  }
  return null
}
