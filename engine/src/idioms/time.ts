/** Moments: block values, what is noted of them in state, and what is stored where a compared value comes from. */

import { dependsOn, isProtected, outsiderCanSetPlace, runsOnce, Source, taintOf } from '../facts/index.ts'
import {
  type Access,
  alternativesOf,
  budget,
  type ContractFlow,
  type Flow,
  fieldPath,
  isBefore,
  isOrdering,
  isSameSlot,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'

/** `block.number` itself. */
export const isBlockNumber = (op: Op): boolean => op.kind === 'env' && op.operator === 'block.number'

/** The block's own time or number, also where another chain's precompile may answer instead; null for anything computed. */
export const clockOf = (op: Op): string | null => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number' ? op.operator : null
  if (op.kind !== 'phi' && op.kind !== 'select') return null
  let clock: string | null = null
  for (let i = op.kind === 'select' ? 1 : 0; i < op.args.length; i++) {
    const value = stripCasts(op.args[i]!)
    if (value.kind === 'env') clock = clockOf(value)
    else if (value.kind !== 'call' && value.kind !== 'extract') return null
  }
  return clock
}

/** `block.timestamp - last`: where `last` is kept. */
export const elapsedSince = (op: Op): Location | null => {
  if (op.kind !== 'bin' || op.operator !== '-') return null
  const [now, since] = op.args.map(stripCasts) as [Op, Op]
  return clockOf(now) !== null && since.kind === 'load' && since.location.space !== 'memory' ? since.location : null
}

interface StoredValue {
  readonly flow: Flow
  readonly value: Op
}

/** Everything but zero that functions of this contract store where a loaded value was kept; also for a record copied to memory. */
export const storedBehind = (flow: Flow, load: Op): StoredValue[] => {
  const found: StoredValue[] = []
  if (load.kind !== 'load') return found
  const place = load.location
  const from = place.space === 'memory' && place.base !== null ? stripCasts(place.base).location : place
  if (from === null || from.space === 'memory') return found
  const path = from === place ? fieldPath(place) : fieldPath(from) + fieldPath(place)
  const add = (writer: Flow, store: StoreOp): void => {
    const value = from.space === store.location.space ? partAt(store, path) : null
    if (value !== null && (value.kind !== 'const' || value.constant !== 0n)) found.push({ flow: writer, value })
  }
  if (from.variable !== null) for (const write of flow.contractFlow.writersOf(from.variable)) add(write.flow, write.op)
  else for (const writer of flow.contractFlow.flows) for (const store of writer.stateStores()) add(writer, store)
  return found
}

/** What a store puts at the end of a path of fields, by itself or with the record around it; null for other places. */
const partAt = (store: StoreOp, path: string): Op | null => {
  const value = stripCasts(store.args[0])
  const { type } = store.location
  const written = fieldPath(store.location)
  if (written === path) return value
  if (value.kind !== 'make' || type?.kind !== 'struct') return null
  const field = type.struct.fields.findIndex(({ name }) => `${written}.${name}` === path)
  return field < 0 || value.args[field] === undefined ? null : stripCasts(value.args[field])
}

/**
 * Numbers of blocks that are put in order, as they were noted or some minutes later: nobody chooses them, and nothing takes
 * them for time. Likewise how far back hashes of blocks are known.
 */
export const isBlockOrder = (flow: Flow, comparison: Op, time: Op, other: Op): boolean => {
  if (isHashReach(flow, time, other)) return true
  if (clockOf(other) === clockOf(time) && clockOf(time) !== null) return true
  const load = withoutMask(other)
  if (clockOf(time) !== 'block.number' || load.kind !== 'load') return false
  const { space } = load.location
  const stored = space === 'slot' || space === 'pointer' ? [] : storedBehind(flow, load)
  if (stored.length === 0) return load.location.variable === null
  if (!isOrdering(comparison.operator) || stored.every(({ value }) => value.kind === 'const')) return false
  return stored.every(({ value }) => isNearBlock(value, 0))
}

/** The part of a packed word. */
const withoutMask = (op: Op): Op =>
  op.kind === 'bin' && op.operator === '&' ? stripCasts(op.args[op.args[0].kind === 'const' ? 1 : 0]!) : op

const isNearBlock = (value: Op, depth: number): boolean => {
  if (value.kind === 'const' || isBlockNumber(value)) return true
  if (depth > budget.depth.nearBlock) return false
  if (value.kind === 'phi' || value.kind === 'select') {
    const parts = value.kind === 'select' ? value.args.slice(1) : value.args.filter((arg) => isBefore(arg, value))
    return parts.every((part) => stripCasts(part).kind === 'call' || isNearBlock(stripCasts(part), depth + 1))
  }
  if (value.kind !== 'bin' || value.operator !== '+') return false
  const [a, b] = value.args.map(stripCasts) as [Op, Op]
  const delay = a.kind === 'const' ? a.constant : b.constant
  return delay !== null && delay <= fewBlocks && isNearBlock(a.kind === 'const' ? b : a, depth + 1)
}

const fewBlocks = 256n

/** `block.number - n > 256`, or whatever else is checked before the hash of block `n` is. */
const isHashReach = (flow: Flow, time: Op, other: Op): boolean => {
  if (isFewBlocks(other) && dependsOn(flow, time, isBlockNumber)) return true
  if (time.kind === 'bin' && time.operator === '-' && isFewBlocks(stripCasts(time.args[1]))) return true
  return flow.builtins('blockhash').some(({ args }) => [time, other].includes(stripCasts(args[0]!)))
}

const isFewBlocks = ({ kind, constant }: Op): boolean =>
  kind === 'const' && (constant === 255n || constant === fewBlocks)

/**
 * So much time since something was noted, or still to go until then, as it is configured: `now - last >= pause`. A few seconds
 * at either end of such a span are worth nothing to anyone.
 */
export const isCooldown = (flow: Flow, time: Op, other: Op): boolean => {
  if (time.kind === 'bin' && time.operator === '-') {
    const [from, taken] = time.args.map(stripCasts) as [Op, Op]
    if (clockOf(taken) !== null) return isNotedSpan(flow, from, other)
    if (clockOf(from) === null) return false
    return isNotedSpan(flow, taken, other) || isNotedSpan(flow, other, taken)
  }
  const sum = withoutNever(other)
  if (clockOf(time) === null || sum.kind !== 'bin' || sum.operator !== '+') return false
  const [a, b] = sum.args.map(stripCasts) as [Op, Op]
  return isNotedSpan(flow, a, b) || isNotedSpan(flow, b, a)
}

/**
 * A moment that the keepers of the contract name as they like, and not only once: nobody is promised it to the second. What
 * is counted from the time of some block is not named.
 */
export const isAppointed = (flow: Flow, load: Op): boolean => {
  const kept = keptIn(load)
  if (kept === null) return false
  const { variable } = kept.place
  const path = fieldPath(kept.place) + kept.path
  const writers = variable === null ? slotWriters(flow, kept.place) : flow.contractFlow.writersOf(variable)
  let isNamed = false
  if (writers.length > manyWriters) return false
  for (const { flow: writer, op } of writers) {
    const value = partAt(op, path) ?? recordAround(op, path)
    if (value === null || (value.kind === 'const' && value.constant === 0n)) continue
    if (isRestored(writer, value, variable, path)) continue
    if ((taintOf(writer, value) & (Source.param | Source.time)) !== Source.param) return false
    if (writer.isConstructor || !writer.isEntryPoint || runsOnce(writer, op)) continue
    if (!isProtected(writer, op)) return false
    isNamed = true
  }
  return isNamed
}

/** Stores to the record at the same slot. */
const slotWriters = ({ contractFlow }: Flow, place: Location): readonly Access<'store'>[] => {
  const stores = place.space === 'slot' ? contractFlow.answer(slotStores) : []
  return stores.length > manyStores ? [] : stores.filter(({ op }) => isSameSlot(op.location, place))
}

const slotStores = ({ flows }: ContractFlow): Access<'store'>[] =>
  flows.flatMap((flow) => flow.stateStores().flatMap((op) => (op.location.space === 'slot' ? [{ flow, op }] : [])))

const manyWriters = 64
const manyStores = 512

/** The record that was there before, with other fields changed. */
const isRestored = (flow: Flow, value: Op, variable: VariableModel | null, path: string): boolean => {
  if (variable === null || value.kind !== 'load' || keptIn(value)?.place.variable !== variable) return false
  const isMoment = ({ location }: StoreOp): boolean => location.part !== 'field' || path.endsWith(`.${location.name}`)
  const stores = flow.memoryStores()
  return (
    stores.length <= manyWriters &&
    !stores.some((store) => stripCasts(store.location.base ?? store) === value && isMoment(store))
  )
}

interface Kept {
  readonly place: Location
  /** The fields that lead on from there, in a record copied to memory. */
  readonly path: string
}

/** Where a value was kept outside memory. */
export const keptIn = (value: Op): Kept | null => {
  let path = ''
  let op = value
  for (let depth = 0; depth < budget.depth.kept && op.kind === 'load'; depth++) {
    const place = op.location
    if (place.space !== 'memory') return { place, path }
    if (place.base === null) return null
    path = fieldPath(place) + path
    op = stripCasts(place.base)
  }
  return null
}

/** The record that a store puts around a place with this path. */
const recordAround = (store: StoreOp, path: string): Op | null =>
  path.startsWith(`${fieldPath(store.location)}.`) ? stripCasts(store.args[0]) : null

/** A moment, or never where the sum does not fit: `end < start ? type(uint).max : end`. */
const withoutNever = (op: Op): Op => {
  if (op.kind !== 'phi' && op.kind !== 'select') return op
  const moments = alternativesOf(op)
    .map(stripCasts)
    .filter(({ kind }) => kind !== 'const')
  return moments.length === 1 ? moments[0]! : op
}

/** A moment kept in state or by another contract, and a configured span. */
const isNotedSpan = (flow: Flow, noted: Op, span: Op): boolean =>
  (noted.kind === 'load' || noted.kind === 'extract' || noted.kind === 'call') &&
  (taintOf(flow, noted) & (Source.param | Source.data)) === 0 &&
  isConfigured(flow, span)

/** In a place that no outsider sets, in another contract, or in a base that is not among the files. */
const isConfigured = (flow: Flow, span: Op): boolean => {
  const { kind, args } = span
  const call = kind === 'extract' ? args[0].call : span.call
  if (kind === 'call' || kind === 'extract') return call?.kind === 'external' && call.isStatic
  if (kind === 'unknown') return (span.node as { kind?: string } | null)?.kind === 'Identifier'
  const place = keptIn(span)?.place
  return place !== undefined && place.variable !== null && !outsiderCanSetPlace(flow.contractFlow, place)
}
