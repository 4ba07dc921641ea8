/**
 * Code that runs once: it requires some state to be unset, or below a version, and sets it. Where there are several ways to
 * pass, each must be closed by that, or be open to nobody from outside: while the contract is being constructed, or while its
 * set-up is under way.
 */

import {
  bothOrders,
  type ContractFlow,
  type Flow,
  fieldPath,
  isSameSlot,
  isTransient,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { fromFactsAt, guardsAtEnd, pointAt } from './guards.ts'
import { answerOnEachPath, factsOnEdge, type Question } from './paths.ts'
import { isSender } from './sender-conditions.ts'

/** One of many: another key starts afresh. */
const isKeyed = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.index !== null && at.index.kind !== 'const') return true
  }
  return false
}

/** A state is required to be still unset, before or after, and this function sets it for good: an initializer. */
export const runsOnce = (flow: Flow, op: Op): boolean => {
  return flow.remember(
    runsOnce,
    pointAt(flow, op),
    () => fromFactsAt(flow, op, onceBy).length > 0 || endsOnce(flow) || comesOnce(flow, op),
  )
}

const onceBy = (flow: Flow, fact: Fact): readonly Fact[] => (isOnce(flow, fact) ? [fact] : [])

const isOnce = (flow: Flow, fact: Fact): boolean => answerOnEachPath(flow, fact, runs) === 'once'

/** once: held once, it cannot hold again · closed: no outsider comes that way. */
type Runs = 'once' | 'closed'

/** Of several alternatives at least one runs once, and the others do too or are closed to outsiders. */
const runs: Question<Runs> = {
  evaluate: (flow, { condition, polarity }) => {
    if (isUsedUp(flow, unsetLoad(flow, condition, polarity)) || isVersionUsedUp(flow, condition, polarity))
      return 'once'
    if (isFromOneCaller(condition, polarity)) return 'closed'
    if (condition.kind !== 'load') return hasNoCodeYet(condition, polarity) ? 'closed' : null
    if (!polarity || !isInProgress(flow, condition)) return null
    return isSetOnlyOnce(flow, condition) ? 'once' : 'closed'
  },
  join: (one, other) => (one === 'once' ? one : other),
  prefer: (one, other) => (one === 'once' ? one : other),
}

/** A second call is undone: no path leads to an end without the check. */
const endsOnce = (flow: Flow): boolean => flow.answer(endsOnceOnly)

const endsOnceOnly = (flow: Flow): boolean =>
  flow.ir.exits.length > 0 && flow.ir.exits.every((exit) => guardsAtEnd(flow, exit).some((fact) => isOnce(flow, fact)))

/** `if (underWay) require(isNew()); else { require(done < 1); done = 1; }`: the branches meet again, and each was checked, before or at the end. */
const comesOnce = (flow: Flow, op: Op): boolean =>
  flow
    .answer(meetingsOfOnce)
    .some(
      (block) =>
        flow.blockDominates(block, op.block) || flow.ir.exits.every((exit) => flow.blockDominates(block, exit)),
    )

/** Set-ups check where they begin. */
const fewMeetings = 4

const meetingsOfOnce = (flow: Flow): readonly number[] => {
  const found: number[] = []
  let seen = 0
  for (const { id, preds } of flow.blocks) {
    if (preds.length !== 2 || preds.some((pred) => pred >= id)) continue
    if (++seen > fewMeetings) break
    const paths = preds.map((pred) => factsOnEdge(flow, pred, id).map((fact) => answerOnEachPath(flow, fact, runs, 1)))
    const isKnown = paths.every((answers) => answers.some((answer) => answer !== null))
    if (isKnown && paths.some((answers) => answers.includes('once') && !answers.includes('closed'))) found.push(id)
  }
  return found
}

/** `msg.sender == address(this)`, or an account on record. */
const isFromOneCaller = (op: Op, polarity: boolean): boolean =>
  op.kind === 'bin' &&
  op.operator === (polarity ? '==' : '!=') &&
  bothOrders(op).some(
    ([caller, known]) => isSender(caller) && (isItself(stripCasts(known)) || isKept(stripCasts(known))),
  )

const isItself = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'this'

/** `address(this).code.length == 0`, which holds in a constructor only. */
const hasNoCodeYet = (op: Op, polarity: boolean): boolean => {
  if (op.kind !== 'bin') return false
  const isEqual = op.operator === (polarity ? '==' : '!=') || (op.operator === '>' && !polarity)
  return (
    isEqual && bothOrders(op).some(([size, zero]) => zero.kind === 'const' && zero.constant === 0n && isOwnCode(size))
  )
}

const codeQueries = new Set(['code', 'extcodesize'])

const isOwnCode = (value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'env') return op.operator === 'this' && depth > 0
  const queriedCode =
    op.kind === 'load' ? op.location.base : op.kind === 'builtin' && codeQueries.has(op.operator) ? op.args[0]! : null
  return queriedCode !== null && depth < 3 && isOwnCode(queriedCode, depth + 1)
}

/** Set and put back by this function itself, or by each that sets it at all: anyone who comes later finds it unset. */
const isInProgress = (flow: Flow, load: LoadOp): boolean => {
  if (!isKept(load) || isKeyed(load.location)) return false
  const { variable } = load.location
  if (isRestoredBy(flow, load.location)) return true
  if (variable?.isConstant || variable?.isImmutable) return false
  const writers = flow.contractFlow.flows.filter((writer) => writesTo(writer, load.location).length > 0)
  // What nobody writes may be written by a derived contract that is missing.
  if (writers.length === 0) return variable?.visibility === 'private'
  return writers.every((writer) => isRestoredBy(writer, load.location))
}

/** `onlyInitializing`: the mark is set by other functions alone, each of which runs once. */
const isSetOnlyOnce = (flow: Flow, { location }: LoadOp): boolean => {
  const writers = flow.contractFlow.flows.filter((writer) => writesTo(writer, location).length > 0)
  if (writers.includes(flow)) return false
  return writers.every((writer) =>
    writesTo(writer, location).every((store) => isCleared(store) || runsOnce(writer, store)),
  )
}

const writesTo = (flow: Flow, place: Location): readonly StoreOp[] =>
  flow.stateStores().filter((store) => isSamePlace(store.location, place))

const isRestoredBy = (flow: Flow, place: Location): boolean => {
  const stores = writesTo(flow, place)
  const last = stores.findLast((store) => isCleared(store))
  return last !== undefined && stores.every((store) => isCleared(store) || flow.canFollow(store, last))
}

/** The place is set here, and nowhere put back. */
const isUsedUp = (flow: Flow, load: LoadOp | null): boolean => {
  if (load === null || isKeyed(load.location)) return false
  // `require(owners.length == 0)`, and the whole list is written.
  const whole = load.location.part === 'length' ? load.location.parent : null
  const isSet = ({ location }: StoreOp): boolean => location === whole || isSamePlace(location, load.location)
  const stores = flow.stateStores().filter(isSet)
  if (stores.length === 0 || stores.some(isCleared)) return false
  const { variable } = load.location
  return variable === null || !flow.contractFlow.answerAt(load.location, isRestored)
}

const isRestored = (contractFlow: ContractFlow, place: Location): boolean =>
  contractFlow.writersTo(place).some(({ flow: writer, op }) => !writer.isConstructor && isCleared(op))

/** `version > last`, and `last` becomes this very version, which no caller chooses. */
const isVersionUsedUp = (flow: Flow, op: Op, polarity: boolean): boolean => {
  if (op.kind !== 'bin') return false
  const pair = versionPair(op, polarity)
  if (pair === null) return false
  const [load, version] = pair
  if (!isKept(load) || isKeyed(load.location) || version.kind !== 'const') return false
  const stores = writesTo(flow, load.location)
  return stores.length > 0 && stores.every((store) => sameValue(stripCasts(store.args[0]), version))
}

/** What is below, and what is above. */
const versionPair = (op: Op, polarity: boolean): readonly [Op, Op] | null => {
  const [left, right] = op.args.map(stripCasts) as [Op, Op]
  switch (op.operator) {
    case '<':
      return polarity ? [left, right] : null
    case '>':
      return polarity ? [right, left] : null
    case '>=':
      return polarity ? null : [left, right]
    case '<=':
      return polarity ? null : [right, left]
    default:
      return null
  }
}

/** Locations are made again for each function. */
const isSamePlace = (a: Location, b: Location): boolean => {
  if (a === b) return true
  if (a.space !== b.space || fieldPath(a) !== fieldPath(b)) return false
  if (a.space === 'slot') return isSameSlot(a, b)
  return a.variable !== null && a.variable === b.variable && !isKeyed(a) && !isKeyed(b)
}

/** Longer than for the transaction. */
const isKept = (op: Op): op is LoadOp =>
  op.kind === 'load' &&
  (op.location.space === 'state' || op.location.space === 'slot') &&
  !isTransient(op) &&
  op.location.variable?.isTransient !== true

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
const unsetLoad = (flow: Flow, op: Op, polarity: boolean): LoadOp | null => {
  if (!polarity && isKept(op)) return op
  if (op.kind !== 'bin') return null
  const equal = (op.operator === '==' && polarity) || (op.operator === '!=' && !polarity)
  const isNone = (op.operator === '>' && !polarity) || (op.operator === '<=' && polarity)
  if (isNone) return unsetAt(flow, op.args[0], op.args[1])
  if (!equal) return null
  for (const [load, other] of bothOrders(op))
    if (other.kind === 'const' && other.constant === 0n && isKept(load)) return load
  return null
}
