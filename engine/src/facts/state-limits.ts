/** Bounds of state over the whole contract: what all of its writers together can ever put there. */

import {
  type Access,
  type BinaryOp,
  budget,
  type ContractFlow,
  type Interval,
  type Location,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { isCleared } from './cleared.ts'
import { partFor, valuesFor } from './memory-values.ts'
import type { Numbers } from './numbers.ts'
import { outsiderCanSetPlace } from './principals.ts'

/** What nobody reaches by adding ether, time or constants, however often. */
const accumulated = 1n << 150n
const smallSteps: Interval = { min: 0n, max: accumulated }
/** What a deployer or owner in his right mind sets. */
const sensible: Interval = { min: 0n, max: 1n << 128n }

/**
 * State that only the privileged set is taken to be sensible; state that every function changes by constants, ether or
 * time, stays far below the largest number. Everything else has its type's range.
 */
export const stateInterval = (numbers: Numbers, place: Location, range: Interval): Interval => {
  const limit = numbers.stateLimit(numbers.flow.contractFlow, place)
  if (limit === null) return range
  return limit.max < range.max ? limit : { min: limit.min, max: range.max }
}

/** What all writers of a place together can put there. */
export const limitByWrites = (numbers: Numbers, contractFlow: ContractFlow, place: Location): Interval | null => {
  const writes = contractFlow.writersTo(place)
  const constants = constantWrites(place, writes)
  if (constants !== null) return constants
  if (!outsiderCanSetPlace(contractFlow, place)) return allowedWrites(numbers, place, writes)
  if (writes.every((write) => isSmallStep(numbers.of(write.flow), write.op, place))) return smallSteps
  return demandedWrites(numbers, place, writes)
}

/** Anyone who writes there, no more than the checks before each write let through. */
const demandedWrites = (numbers: Numbers, place: Location, writes: readonly Access<'store'>[]): Interval | null => {
  if (writes.length > fewWrites) return null
  let max = 0n
  for (const { flow, op } of writes) {
    if (isCleared(op)) continue
    const values = valuesFor(flow, op, place)
    if (values === null) return null
    for (const value of values) {
      const allowed = numbers.of(flow).interval(value, op)
      if (allowed.min < 0n || allowed.max > sensible.max) return null
      if (allowed.max > max) max = allowed.max
    }
  }
  return { min: 0n, max }
}

/** What the checks before each write allow, if that is less than what is sensible. */
const allowedWrites = (numbers: Numbers, place: Location, writes: readonly Access<'store'>[]): Interval => {
  if (writes.length > fewWrites) return sensible
  let max = 0n
  for (const { flow, op } of writes) {
    const allowed = numbers.of(flow).interval(partFor(place, op), op)
    if (allowed.min < 0n || allowed.max > sensible.max) return sensible
    if (allowed.max > max) max = allowed.max
  }
  return max === 0n ? sensible : { min: 0n, max }
}

const fewWrites = 50

/** Only constants are ever stored: the value is one of them, or zero when nothing sets it at the start. */
const constantWrites = (place: Location, writes: readonly Access<'store'>[]): Interval | null => {
  if (place.depth > 0) return null
  let min: bigint | null = null
  let max: bigint | null = null
  let initialised = false
  for (const { flow, op } of writes) {
    const value = stripCasts(op.args[0])
    if (value.kind !== 'const' || value.constant === null) return null
    if (flow.isConstructor) initialised = true
    if (min === null || value.constant < min) min = value.constant
    if (max === null || value.constant > max) max = value.constant
  }
  if (!initialised || min === null || max === null) {
    min = min === null || min > 0n ? 0n : min
    max = max === null || max < 0n ? 0n : max
  }
  return { min, max }
}

const isSmallStep = (numbers: Numbers, store: StoreOp, place: Location): boolean => {
  const value = stripCasts(partFor(place, store))
  if (isSmall(numbers, value, 0) || isSameKind(value, place)) return true
  if (value.kind !== 'bin' || (value.operator !== '+' && value.operator !== '-')) return false
  const [a, b] = value.args.map(stripCasts) as [Op, Op]
  // A function that adds twice adds to what it has added; one that puts back adds to what it has taken from.
  const isOld = (op: Op, depth = 0): boolean =>
    op.kind === 'load'
      ? op.location.variable === place.variable
      : depth < budget.depth.oldValue &&
        op.kind === 'bin' &&
        (op.operator === '-' || (op.operator === '+' && isSmall(numbers, stripCasts(op.args[1]), 0))) &&
        isOld(stripCasts(op.args[0]), depth + 1)
  // Whether a difference wraps is judged where it is taken: one mistake, one finding.
  if (value.operator === '-') return isOld(a)
  if ((isOld(a) && isSmall(numbers, b, 0)) || (isOld(b) && isSmall(numbers, a, 0))) return true
  return isOld(a) && isMoved(numbers, store, b)
}

/** As much is taken from another element, which has it, and as often as it is put anywhere: the sum over all stays what it was. */
const isMoved = (numbers: Numbers, put: StoreOp, amount: Op): boolean => {
  const { flow } = numbers
  const round = flow.loopMarkAround(put)
  const isBesides = (store: StoreOp): boolean => flow.canFollow(store, put) || flow.canFollow(put, store)
  const isChange = (store: StoreOp, operator: '+' | '-'): boolean => {
    const value = stripCasts(store.args[0])
    if (store.location.variable !== put.location.variable || value.kind !== 'bin' || value.operator !== operator)
      return false
    return sameValue(value.args[1], amount)
  }
  const stores = flow.stateStores()
  const taken = stores.filter(
    (store) =>
      isChange(store, '-') && flow.loopMarkAround(store) === round && isBesides(store) && isCovered(numbers, store),
  )
  if (taken.length === 0) return false
  return stores.filter((store) => store === put || (isChange(store, '+') && isBesides(store))).length <= taken.length
}

/** What is taken was there. */
const isCovered = (numbers: Numbers, store: StoreOp): boolean => {
  const value = stripCasts(store.args[0]) as BinaryOp
  const [have, taken] = value.args
  if (stripCasts(have).kind !== 'load' || stripCasts(have).location !== store.location) return false
  return value.flag || numbers.isAtLeast(have, taken, value)
}

/** Another element, or what was there before: it is bounded as this one is. */
const isSameKind = (value: Op, place: Location): boolean => {
  if (value.kind !== 'load' || value.location.variable !== place.variable || place.variable === null) return false
  const from = value.location
  return from.depth === place.depth && from.part === place.part && from.name === place.name
}

const isSmall = (numbers: Numbers, op: Op, depth: number): boolean => {
  if (op.kind === 'load' && op.location.space === 'state' && numbers.interval(op).max <= accumulated) return true
  if (op.kind === 'const') return op.constant !== null && op.constant <= sensible.max
  if (op.kind === 'env')
    return op.operator === 'msg.value' || op.operator === 'block.timestamp' || op.operator === 'block.number'
  if (op.kind === 'builtin') return op.operator === 'balance'
  if (
    op.kind === 'bin' &&
    depth < budget.depth.smallValue &&
    (op.operator === '+' || op.operator === '/' || op.operator === '%')
  ) {
    return op.args.every((arg, i) => (op.operator === '/' && i === 1) || isSmall(numbers, stripCasts(arg), depth + 1))
  }
  if (op.kind === 'bin' && op.operator === '*' && numbers.interval(op).max <= sensible.max) return true
  if (op.kind === 'bin' && op.operator === '-' && depth < budget.depth.smallValue)
    return isSmall(numbers, stripCasts(op.args[0]), depth + 1) && (op.flag || !numbers.canOverflow(op))
  const type = numbers.flow.typeOf(op)
  return type?.kind === 'int' && !type.signed && type.bits <= 128
}
