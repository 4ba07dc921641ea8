/** Code that runs once: it requires some state to be unset, and sets it. */
import { bothWays, type Flow, isSameSlot, type LoadOp, type Location, type Op, stripCasts } from '../ir/index.ts'
import { guardCallsAt, guardsAt } from './guards.ts'

/** One of many: another key starts afresh. */
const isKeyed = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.index !== null && at.index.kind !== 'const') return true
  }
  return false
}

/** A state is required to be still unset, and this function sets it: an initialiser. */
export const runsOnce = (flow: Flow, op: Op): boolean => {
  for (const call of guardCallsAt(flow, op)) {
    const decl = call.decl
    const effect = decl !== null && decl.kind === 'modifier' ? decl.effect : call.call.definition?.effect
    if (effect === 'initializer') return true
  }
  for (const fact of guardsAt(flow, op)) {
    const load = unsetLoad(flow, fact.condition, fact.polarity)
    if (load === null || isKeyed(load.location)) continue
    let sets = false
    let resets = false
    for (const store of flow.stateStores()) {
      if (!isSamePlace(store.location, load.location)) continue
      const value = stripCasts(store.args[0])
      if (value.kind === 'const' && value.constant === 0n) resets = true
      else sets = true
    }
    if (sets && !resets) return true
  }
  return false
}

const isSamePlace = (a: Location, b: Location): boolean =>
  a === b || (a.space === 'slot' && b.space === 'slot' && isSameSlot(a, b))

const isKept = (op: Op): op is LoadOp =>
  op.kind === 'load' && (op.location.space === 'state' || op.location.space === 'slot')

/** `!(x > 0)`, where the deployment sets it: code that is only meant to be copied is closed for good by that. */
const unsetAt = (flow: Flow, value: Op, zero: Op): LoadOp | null => {
  const load = stripCasts(value)
  const other = stripCasts(zero)
  if (other.kind !== 'const' || other.constant !== 0n || !isKept(load)) return null
  const { variable } = load.location
  const isClosed = variable !== null && flow.contractFlow.writersOf(variable).some((write) => write.flow.isConstructor)
  return isClosed ? load : null
}

/** The load in `x == 0`, `!x`, `x < 1`… when the fact says that it is unset. */
const unsetLoad = (flow: Flow, condition: Op, polarity: boolean): LoadOp | null => {
  const op = stripCasts(condition)
  if (!polarity && isKept(op)) return op
  if (op.kind !== 'bin') return null
  const equal = (op.operator === '==' && polarity) || (op.operator === '!=' && !polarity)
  const isNone = (op.operator === '>' && !polarity) || (op.operator === '<=' && polarity)
  if (isNone) return unsetAt(flow, op.args[0], op.args[1])
  if (!equal) return null
  for (const [load, other] of bothWays(op))
    if (other.kind === 'const' && other.constant === 0n && isKept(load)) return load
  return null
}
