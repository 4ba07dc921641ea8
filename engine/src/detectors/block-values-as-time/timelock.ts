import { isSender, relationsAt, Source, taintOf } from '../../facts/index.ts'
import { storedBehind } from '../../idioms/index.ts'
import {
  budget,
  type Flow,
  isBefore,
  isZero,
  type LoadOp,
  type Location,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { isClock, isFixedMoment } from './decision.ts'

/**
 * An operation (not an account's own lock) waits until a moment that was noted when it was requested: the time of then
 * and a delay that is configured, not written into the code. Such delays are meant for people to react, and a few seconds
 * at their end are worth nothing to anyone.
 */
export const isTimelock = (flow: Flow, time: Op, other: Op): boolean => {
  if (time.kind !== 'env' || time.operator !== 'block.timestamp') return false
  const load = momentIn(stripCasts(other))
  const set = load === null ? [] : momentsSet(flow, load).filter(({ value }) => !isMark(value))
  return set.length > 0 && set.every(({ value, flow: writer }) => isDelayed(writer, value))
}

/** `due[id] = 1` for what is done: long past, and no moment that anyone waits for. */
const isMark = (value: Op): boolean => value.kind === 'const' && !isFixedMoment(value)

/** The stored moment, alone or with something added to it. */
const momentIn = (op: Op): LoadOp | null => {
  if (op.kind === 'load') return op
  if (op.kind !== 'bin' || op.operator !== '+') return null
  return op.args.map(stripCasts).find((arg): arg is LoadOp => arg.kind === 'load') ?? null
}

/** What is stored there, if it is a record of its own and not an account's. */
const momentsSet = (flow: Flow, load: LoadOp): { flow: Flow; value: Op }[] => {
  const place = load.location
  if (place.space === 'slot') return storedBehind(flow, load)
  if (place.space !== 'state' || place.variable === null || !isKeyedByNumber(flow, place)) return []
  return flow.contractFlow
    .writersTo(place)
    .filter(({ op }) => !isZero(op.args[0]))
    .map(({ op, flow: writer }) => ({ flow: writer, value: stripCasts(op.args[0]) }))
}

const isKeyedByNumber = (flow: Flow, place: Location): boolean => {
  let isKeyed = false
  for (let at: Location | null = place; at !== null; at = at.parent) {
    if (at.index === null) continue
    const kind = flow.typeOf(stripCasts(at.index))?.kind
    if (kind === 'address' || kind === 'contract' || isSender(at.index)) return false
    isKeyed = true
  }
  return isKeyed
}

const maxDepth = budget.depth.timelock

/** `now + delay` with a delay that is configured, or the later of that and what the caller asks for. */
const isDelayed = (flow: Flow, value: Op, depth = 0): boolean => {
  if (depth > maxDepth) return false
  if (value.kind === 'phi' || value.kind === 'select') {
    const parts = value.kind === 'select' ? value.args.slice(1) : value.args.filter((arg) => isBefore(arg, value))
    return parts.some((part) => isDelayed(flow, stripCasts(part), depth + 1))
  }
  if (value.kind !== 'bin') return false
  if (value.operator !== '+') return value.args.some((arg) => isDelayed(flow, stripCasts(arg), depth + 1))
  const [a, b] = value.args.map(stripCasts) as [Op, Op]
  const delay = isClock(a) ? b : isClock(b) ? a : null
  return delay !== null && (isConfigured(flow, delay) || isHeldToConfigured(flow, delay, value))
}

/** From state or another contract. */
const isConfigured = (flow: Flow, delay: Op): boolean => (taintOf(flow, delay) & (Source.state | Source.call)) !== 0

/** `require(delay >= minDelay)` */
const isHeldToConfigured = (flow: Flow, delay: Op, at: Op): boolean =>
  relationsAt(flow, at).some(({ greater, smaller }) => sameValue(greater, delay) && isConfigured(flow, smaller))
