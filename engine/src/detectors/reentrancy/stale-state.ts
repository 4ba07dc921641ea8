import {
  dependsOn,
  guardsAt,
  isRolePrincipal,
  isUntrusted,
  parametersCalledBy,
  principalAt,
  stateReadsOf,
  type Write,
  writesAfter,
  writesOf,
  writesState,
} from '../../facts/index.ts'
import {
  columnOf,
  isColumnPaidFrom,
  isMessageValue,
  isSameAmount,
  isSelf,
  keysOf,
  loweredBy,
  tokenCallOf,
} from '../../idioms/index.ts'
import {
  budget,
  type CallOp,
  type Flow,
  isBefore,
  isOne,
  isOrdering,
  isTransient,
  isZero,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import type { ConfidenceFactors } from '../define-detector.ts'
/** State that is read before a call and decides about it, and is written only after it: while the callee runs, it is out of date. */
export interface StaleState {
  readonly flow: Flow
  readonly call: CallOp
  readonly write: Write
  readonly read: Op
  /** All reads of the same state that decide. */
  readonly reads: readonly Op[]
}

export function* staleState(flow: Flow, call: CallOp): Generator<StaleState> {
  if (!writesState(flow)) return
  const deciding = decidingReads(flow, call)
  const writes = deciding.length > 0 ? writesAfter(flow, call) : keptAcross(flow, call)
  for (const write of writes) {
    const same = deciding.filter((load) => isSameState(load, write))
    const read = same[0] ?? keptRead(flow, call, write)
    if (read === undefined) continue
    if ((isDoneBefore(flow, call, write) && !isTestedOnce(flow, call, write)) || isCleared(write.op)) continue
    yield { flow, call, write, read, reads: [read, ...same] }
  }
}

export const isSameState = (load: LoadOp, write: Write): boolean =>
  write.location === null
    ? load.location.variable === write.variable
    : mayOverlap(load.location, write.location) &&
      !isOtherSlot(load.location, write.location) &&
      isTransient(load) === isTransient(write.op)

/** Slots that assembly computes from different keys: that they may be equal does not make them one record. */
const isOtherSlot = (a: Location, b: Location): boolean =>
  a.space === 'slot' && b.space === 'slot' && a.base !== null && b.base !== null && !isSameKey(a.base, b.base, 0)

/** The same expression of the same values: `keccak256(abi.encode(id))` twice. */
const isSameKey = (one: Op, other: Op, depth: number): boolean => {
  const [a, b] = [stripCasts(one), stripCasts(other)]
  if (a === b) return true
  if (a.kind !== b.kind || a.operator !== b.operator || depth > budget.depth.taken) return false
  if (a.kind === 'const') return a.constant === b.constant && a.decl === b.decl
  return (
    a.args.length > 0 &&
    a.args.length === b.args.length &&
    a.args.every((arg, i) => isSameKey(arg, b.args[i]!, depth + 1))
  )
}

/** Reads before the call on which it depends: a condition on the path to it, its amount, its arguments. */
const decidingReads = (flow: Flow, call: CallOp): LoadOp[] => {
  const reads = new Set<LoadOp>()
  for (const root of decidersOf(flow, call))
    for (const read of stateReadsOf(flow, root)) if (!reads.has(read) && flow.canFollow(read, call)) reads.add(read)
  return [...reads]
}

export const decidersOf = (flow: Flow, call: CallOp): Op[] => {
  const deciders: Op[] = [...call.args, ...guardsAt(flow, call).map((fact) => fact.condition)]
  if (call.call.value !== null) deciders.push(call.call.value)
  return deciders
}

/** The new value is computed from what the place held before the call: what a callee did to it meanwhile is lost. */
const keptRead = (flow: Flow, call: CallOp, write: Write): Op | undefined =>
  keptReads(write).find((read) => isBefore(read, call) && flow.dominates(read, call) && isOfOutsider(flow, call))

/** The reads of the place that its new value is computed from. */
const keptReads = ({ op, location }: Write): LoadOp[] => {
  const value = op.kind === 'store' ? stripCasts(op.args[0]) : null
  if (value?.kind !== 'bin') return []
  return value.args.map(stripCasts).filter((part): part is LoadOp => part.kind === 'load' && part.location === location)
}

/** Writes after a call whose old value may have been read before it. */
const keptAcross = (flow: Flow, call: CallOp): readonly Write[] =>
  (flow.answer(keptByCall).get(call) ?? []).filter(({ op }) => flow.canFollow(call, op))

/** Worked out from the writes: between a read and its write there are few calls, and in a long function many of both. */
const keptByCall = (flow: Flow): ReadonlyMap<CallOp, readonly Write[]> => {
  const calls = flow.ops('call')
  const kept = new Map<CallOp, Write[]>()
  for (const write of writesOf(flow)) {
    const [read] = keptReads(write).sort((a, b) => a.id - b.id)
    if (read === undefined) continue
    const last = lastBlockAround(flow, write.op)
    for (let i = firstAfter(calls, read); i < calls.length; i++) {
      const call = calls[i]!
      if (!isBefore(call, write.op) && call.block > last) break
      const writes = kept.get(call)
      if (writes === undefined) kept.set(call, [write])
      else writes.push(write)
    }
  }
  return kept
}

const firstAfter = (calls: readonly CallOp[], op: Op): number => {
  let low = 0
  let high = calls.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(calls[middle]!, op)) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the outermost loop around an operation ends: what stands between may run before it all the same. */
const lastBlockAround = ({ ir: { loops } }: Flow, { block }: Op): number =>
  loops.reduce((last, mark) => (block >= mark.header && block <= mark.last ? Math.max(last, mark.last) : last), -1)

const isOfOutsider = (flow: Flow, call: CallOp): boolean =>
  call.call.target !== null && isUntrusted(flow, call.call.target, call)

/** Whose code runs, itself or by a contract of this scan that is given whom to call, and whether what it was granted is taken too late. */
export const factorsOf = (flow: Flow, call: CallOp, write: Write): ConfidenceFactors => {
  const isOwed = isOwedPayout(flow, call, write)
  const isTaken = isOwed || takesAway(write.op, 0) || isTested(flow, call, write) || isTestedOnce(flow, call, write)
  const isHarmless = isRestored(flow, call, write) || !isTaken
  return {
    controlledBy: isOwed ? payerOf(flow, call) : deciderOf(flow, call),
    impact: isHarmless || isComputedSlot(write) ? 'none' : 'accounting',
    counterEvidence: [
      ...(isHarmless && !isPaidFromLate(flow, call, write) ? ['the write takes nothing away that was granted'] : []),
      ...(isMissingName(call) ? ['the callee is declared in a missing file and may not be a contract'] : []),
      ...(call.call.gasKind === 'limited' ? ['the callee gets only limited gas'] : []),
      ...(isComputedSlot(write) ? ['what the computed slot holds is not known'] : []),
      ...(isPaidAgain(flow, call, write) ? ['a re-entering caller must pay the old value again'] : []),
    ],
  }
}

/** `sstore(pointer, word)`: no variable, and no constant of the code names it. */
const isComputedSlot = ({ location }: Write): boolean =>
  location?.space === 'slot' && location.base !== null && stripCasts(location.base).kind !== 'const'

/** An outsider's code runs while payouts still follow from the old number: a share price, a total. One account's entry is paid to no other. */
const isPaidFromLate = (flow: Flow, call: CallOp, { location }: Write): boolean => {
  const column = location?.type?.kind === 'int' && keysOf(location).length === 0 ? columnOf(location) : null
  return column !== null && isOfOutsider(flow, call) && tokenCallOf(call) === null && isColumnPaidFrom(flow, column)
}

/** `require(msg.value >= price)`, and the price is what is written too late: the old one is not had for nothing. */
const isPaidAgain = (flow: Flow, call: CallOp, write: Write): boolean =>
  pricesAt(flow, call).some((read) => isSameState(read, write))

/** The state that is compared with the ether of the caller before the call. */
const pricesAt = (flow: Flow, call: CallOp): readonly LoadOp[] =>
  flow.remember(pricesAt, call, () =>
    guardsAt(flow, call).flatMap(({ condition }) => {
      if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return []
      if (!dependsOn(flow, condition, isMessageValue, { isKept: true })) return []
      return stateReadsOf(flow, condition).filter(({ location }) => location.space === 'state')
    }),
  )

/** Who chose what runs: of a token that is on record nobody knows whether it calls anyone. */
const deciderOf = (flow: Flow, call: CallOp): 'outsider' | 'unknown' | 'governed' => {
  if (!isOfOutsider(flow, call) && !isPassedOn(flow, call)) return 'governed'
  const principal = principalAt(flow, call)
  if (isRolePrincipal(principal) || principal === 'unread' || principal === 'later') return 'governed'
  if (isMissingName(call)) return 'unknown'
  const token = tokenCallOf(call)?.token
  if (token != null) return stripCasts(token).kind === 'param' ? 'outsider' : 'unknown'
  return !isPassedOn(flow, call) && isReplacedByRule(flow, call) ? 'unknown' : 'outsider'
}

/** A token of the protocol's own choice pays out: many call the recipient (ERC-777), and nobody knows whether this one does. */
const payerOf = (flow: Flow, call: CallOp): 'outsider' | 'unknown' | 'governed' => {
  const decider = deciderOf(flow, call)
  return decider === 'governed' && principalAt(flow, call) === 'anyone' ? 'unknown' : decider
}

/** `token.transfer(to, n); owed[to] -= n`: what was paid follows from what is taken late, so a recipient who re-enters is paid twice. */
const isOwedPayout = (flow: Flow, call: CallOp, { op, location }: Write): boolean => {
  const token = tokenCallOf(call)
  if (token === null || token.name === 'approve' || op.kind !== 'store' || location === null) return false
  if (token.from !== null && !isSelf(token.from)) return false
  const lowered = loweredBy(op)
  const isEntry = keysOf(location).length > 0
  const isPart = (part: Op): boolean =>
    (isEntry && part.kind === 'load' && part.location === location) || (lowered !== null && isSameAmount(part, lowered))
  return dependsOn(flow, token.amount, isPart)
}

/** `vault.move(…)`, and nothing here declares `vault`: neither what it is nor who put it there can be read. */
const isMissingName = ({ call: { target } }: CallOp): boolean => target?.kind === 'unknown'

/** One contract for all, which no function replaces without asking about something: a vote that was won, a time that has passed. */
const isReplacedByRule = (flow: Flow, { call: { target } }: CallOp): boolean => {
  const callee = target === null ? null : stripCasts(target)
  if (callee?.kind !== 'load' || callee.location.part !== 'root' || callee.location.variable === null) return false
  const writers = flow.contractFlow.writersOf(callee.location.variable).filter((write) => write.flow.isEntryPoint)
  if (writers.length === 0) return false
  return writers.every((write) =>
    guardsAt(write.flow, write.op).some(({ condition }) =>
      dependsOn(write.flow, condition, (op) => op.kind === 'load' && op.location.space === 'state', { keys: true }),
    ),
  )
}

/** A flag that was set on some way to the call and is put back after it. */
const isRestored = (flow: Flow, call: CallOp, { op, location }: Write): boolean => {
  // At a slot that a pointer names, the type is not always known.
  const isFlag = location !== null && (location.type?.kind === 'bool' || (location.type === null && isBit(op)))
  return (
    isFlag &&
    isConstantStore(op) &&
    flow.stateStores().some((store) => store.location === location && isBefore(store, call) && isConstantStore(store))
  )
}

const isBit = ({ kind, args }: Op): boolean => kind === 'store' && (isZero(args[0]!) || isOne(stripCasts(args[0]!)))

const isConstantStore = ({ kind, args }: Op): boolean => kind === 'store' && stripCasts(args[0]).kind === 'const'

const isPassedOn = (flow: Flow, call: CallOp): boolean => {
  const { definition } = call.call
  if (!definition?.isImplemented || definition.isStub) return false
  return parametersCalledBy(flow.contractFlow, definition).some(
    (i) => call.args[i] !== undefined && isUntrusted(flow, call.args[i], call),
  )
}

/** The call is made only while the place holds little enough, or a certain value: the write uses that up. That it holds enough is not used up by more. */
const isTested = (flow: Flow, call: CallOp, write: Write): boolean =>
  guardsAt(flow, call).some(({ condition, polarity }) =>
    limitedSides(flow, condition, polarity).some(
      (side) => side.kind === 'load' && side.location.space === 'state' && isSameState(side, write),
    ),
  )

/** What a condition keeps small, or the same. `balance != 0` says no more than `balance > 0`. */
const limitedSides = (flow: Flow, condition: Op, polarity: boolean): Op[] => {
  if (condition.kind !== 'bin') return [stripCasts(condition)]
  const sides = condition.args.map(stripCasts)
  if (condition.operator === (polarity ? '!=' : '==') && sides.some(isZero))
    return sides.filter((side) => !isCount(flow, side))
  if (!isOrdering(condition.operator)) return sides
  return [sides[(condition.operator[0] === '>') === polarity ? 1 : 0]!]
}

/** A number that cannot be below zero. */
const isCount = (flow: Flow, value: Op): boolean => {
  const type = flow.typeOf(value)
  return type?.kind === 'int' && !type.signed
}

/** The limit was tested once, before a loop whose every round makes the call and counts towards it. */
export const isTestedOnce = (flow: Flow, call: CallOp, write: Write): boolean => {
  const mark = flow.loopMarkAround(call)
  if (mark === null || write.op.block < mark.header || write.op.block > mark.last) return false
  const isCounted = (op: Op): boolean =>
    op.kind === 'load' && op.location.space === 'state' && op.block < mark.header && isSameState(op, write)
  return guardsAt(flow, call).some(
    ({ condition }) =>
      condition.kind === 'bin' && isOrdering(condition.operator) && dependsOn(flow, condition, isCounted),
  )
}

/** The write lowers, clears or replaces what was granted; one that only adds grants nothing twice by coming late. */
const takesAway = (op: Op, depth: number): boolean => {
  if (op.kind !== 'store') return true
  return op.flag || isTaken(stripCasts(op.args[0]), depth)
}

const isTaken = (value: Op, depth: number): boolean => {
  if (value.kind === 'phi' || value.kind === 'select')
    return (
      depth < budget.depth.taken &&
      value.args.some((arg) => isBefore(arg, value) && isTaken(stripCasts(arg), depth + 1))
    )
  // That it is now is noted by everybody alike, and grants nothing.
  if (value.kind === 'env') return value.operator !== 'block.timestamp' && value.operator !== 'block.number'
  return value.kind !== 'bin' || !additive.has(value.operator)
}

const additive = new Set(['+', '*', '/', '**', '<<', '>>'])

/** Written on every path to the call: it comes after it only on the next round of a loop, and then again before the next call. */
const isDoneBefore = (flow: Flow, call: CallOp, write: Write): boolean =>
  isBefore(write.op, call) && flow.dominates(write.op, call)

/** Put back to what every transaction begins with, as a lock is when it is opened. */
const isCleared = (op: Op): boolean => op.kind === 'store' && isTransient(op) && isZero(op.args[0])
