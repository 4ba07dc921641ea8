import {
  contentOf,
  dependsOn,
  guardsAt,
  isAtLeast,
  isKeyedBySender,
  isProtected,
  isReserved,
  type Lock,
  lockedAt,
  readsState,
  stateReadsOf,
  type Write,
} from '../../facts/index.ts'
import { isMessageValue, isSelf, tokenCallOf } from '../../idioms/index.ts'
import {
  type BasicBlock,
  type CallOp,
  type ContractFlow,
  type Flow,
  isBefore,
  isInLoop,
  isZero,
  type LoadOp,
  type Location,
  type LoopMark,
  type Op,
  type StoreOp,
  sameValue,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import { decidersOf, isSameState, isTestedOnce, type StaleState } from './stale-state.ts'

/** Why state that is out of date during a call deceives nobody. */
export const excuses = [
  excuse<StaleState>(
    'reserved',
    'only privileged accounts get there, and a re-entering callee is not one',
    ({ flow, call }) => isReserved(flow, call),
  ),
  excuse<StaleState>('locked', 'a lock protects every function that shares the state', isLocked),
  excuse<StaleState>('restores', 'the write restores the value from before the call', ({ flow, call, write }) =>
    restores(flow, call, write),
  ),
  excuse<StaleState>(
    'factor-cleared',
    'the amount is a product with a number that is zero in the state while the callee runs',
    ({ flow, call, write }) => isFactorCleared(flow, call, write),
  ),
  excuse<StaleState>('tested-again', 'the state is checked again after the call', ({ flow, call, write }) =>
    isTestedAgain(flow, call, write),
  ),
  excuse<StaleState>(
    'read-again-after-call',
    'the call is only a notification, and the later debit is checked against the current balance',
    ({ flow, call, write }) => isReadAgainAfter(flow, call, write),
  ),
  excuse<StaleState>(
    'own-record',
    'tokens come in or are approved, and the record belongs to that token',
    ({ flow, call, write }) => isOwnRecord(flow, call, write),
  ),
  excuse<StaleState>(
    'renewed',
    'the state was changed between the read and the call',
    ({ flow, call, reads, write }) => isRenewed(flow, call, reads, write) && !isTestedOnce(flow, call, write),
  ),
  excuse<StaleState>(
    'next-round',
    'each loop iteration uses its own entry, written before the call or on another path',
    (stale) => isOfNextRound(stale.flow, stale),
  ),
  excuse<StaleState>('unchanged', 'the value must be equal before and after the call', ({ flow, call, write }) =>
    isUnchangedSince(flow, call, write),
  ),
  excuse<StaleState>(
    'paid-for',
    'a re-entering caller pays in what is handed out, and the outer write overwrites the inner one',
    ({ flow, call, write }) => isPaidFor(flow, call, write),
  ),
]

/** A lock is held, and it is not one that a function which moves the same state leaves out. */
function isLocked({ flow, call, write }: StaleState): boolean {
  const lock = lockedAt(flow, call)
  if (lock === null) return false
  if (write.location === null || write.location === lock.location) return true
  return isCheckedAgainAfter(call, write) || findUnlocked(flow, lock, write) === undefined
}

/** Another function that moves the same state from the caller to someone else and does not hold the lock. */
const findUnlocked = (flow: Flow, lock: Lock, { location, variable }: Write): Flow | undefined =>
  variable === null || location === null
    ? undefined
    : flow.contractFlow
        .answerAt(location, moversOf)
        .find((mover) => mover.flow !== flow && mover.lock !== lock.variable)?.flow

/** The function through which a lock that is held can be bypassed; undefined where none is held. */
export const findBypass = ({ flow, call, write }: StaleState): Flow | undefined => {
  const lock = lockedAt(flow, call)
  return lock === null ? undefined : findUnlocked(flow, lock, write)
}

interface Mover {
  readonly flow: Flow
  /** What it is locked by. */
  readonly lock: Lock['variable'] | undefined
}

/** Two functions under one lock are enough: one of them is not the function in question. */
const moversOf = (contractFlow: ContractFlow, place: Location): readonly Mover[] => {
  const movers: Mover[] = []
  const counts = new Map<Mover['lock'], Set<Flow>>()
  for (const { flow, op } of contractFlow.writersTo(place)) {
    if (!flow.isEntryPoint || !isLowered(op) || !isKeyedBySender(op.location) || isProtected(flow, op)) continue
    const lock = lockedAt(flow, op)?.variable
    const known = counts.get(lock) ?? new Set()
    counts.set(lock, known)
    if (known.size > 1 || known.has(flow)) continue
    known.add(flow)
    movers.push({ flow, lock })
  }
  return movers
}

/** Taken off what is there after the call, by arithmetic that fails when it is no longer enough. */
const isCheckedAgainAfter = (call: CallOp, { op }: Write): boolean => {
  const value = op.kind === 'store' ? stripCasts(op.args[0]) : null
  return value !== null && value.kind === 'bin' && value.flag && isBefore(call, stripCasts(value.args[0]))
}

const isLowered = ({ args }: StoreOp): boolean => {
  const value = stripCasts(args[0])
  return value.kind === 'bin' && value.operator === '-'
}

/** Tokens come in or are approved, and the record belongs to that very token: one that calls back deceives nobody but its own holders. */
const isOwnRecord = (flow: Flow, call: CallOp, { location }: Write): boolean => {
  const token = location === null ? null : tokenCallOf(call)
  if (token === null || token.token === null) return false
  const callee = stripCasts(token.token)
  if (token.name !== 'approve' && (token.from === null || !isSelf(token.to) || callee.kind !== 'param')) return false
  for (let at = location; at !== null; at = at.parent)
    if (at.index !== null && dependsOn(flow, at.index, (op) => sameValueOrPlace(op, callee))) return true
  return false
}

/**
 * Of a loop in which each round has a place of its own, written before the call or on another way than it: what comes after
 * the call is the next round, which reads and writes another. The call may stand in a further loop inside of the round. A list
 * may name one place twice: then each round must have read and written it before its call.
 */
const isOfNextRound = (flow: Flow, { call, write: { op, location }, read, reads }: StaleState): boolean =>
  location !== null &&
  flow.ir.loops.some((mark) => {
    if (!isInLoop(mark, call) || !isInLoop(mark, op) || canFollowInRound(flow, mark, call, op)) return false
    if (isKeyedByCounter(mark, location)) return true
    const isOfRound = (each: Op): boolean => isInLoop(mark, each) && flow.dominates(each, op)
    if (isWrittenBefore(flow, mark, op, call) && [read, ...reads].every(isOfRound)) return true
    return [read, ...reads].every((each) => isInLoop(mark, each) && isStoredSince(flow, each, call))
  })

/** What was read there has been replaced before the call: the callee finds the new value. */
const isStoredSince = (flow: Flow, read: Op, call: CallOp): boolean => {
  const store = read.kind === 'load' ? lastStoresBefore(flow, call).get(read.location) : undefined
  return store !== undefined && isBefore(read, store)
}

/**
 * On each way to the call, also where the write and the call each have the same condition: `if (due > 0) …; if (due > 0) …`. Where what
 * stands there says itself that nothing is used up, nothing is written: `if (allowed != type(uint256).max) allowed -= amount;`.
 */
const isWrittenBefore = (flow: Flow, mark: LoopMark, write: Op, call: CallOp): boolean => {
  if (flow.dominates(write, call)) return true
  const fork = forkBetween(flow, write, call)
  if (fork === null || fork.condition === null || fork.id < mark.header || !isBefore(write, call)) return false
  const branch = fork.succs.find((succ) => flow.blockDominates(succ, write.block))
  if (branch === undefined || !isSureAfter(flow, branch, write)) return false
  const branchTest = fork.condition
  if (stateReadsOf(flow, branchTest).some(({ location }) => location === write.location)) return true
  const isTrue = fork.succs[0] === branch
  return guardsAt(flow, call).some(({ condition, polarity }) => polarity === isTrue && sameValue(condition, branchTest))
}

/** The last block on every path to both. */
const forkBetween = (flow: Flow, write: Op, call: CallOp): BasicBlock | null => {
  let at = write.block
  while (at > 0 && !flow.blockDominates(at, call.block)) at = flow.idom[at]!
  return flow.blocks[at] ?? null
}

/** Anyone who takes this way comes to the write, or is refused. */
const isSureAfter = (flow: Flow, branch: number, write: Op): boolean => {
  const [first] = flow.blocks[branch]!.ops
  return branch === write.block || (first !== undefined && flow.isFollowedBy(first, write))
}

const isKeyedByCounter = (mark: LoopMark, location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && isCounter(mark, stripCasts(at.index))) return true
  return false
}

/** Another number in each round: a step further than in the one before. */
const isCounter = ({ header }: LoopMark, key: Op): boolean =>
  key.kind === 'phi' &&
  key.block === header &&
  key.args.slice(1).every((next) => {
    const step = stripCasts(next)
    if (step.kind !== 'bin' || (step.operator !== '+' && step.operator !== '-')) return false
    const by = stripCasts(step.args[1])
    return stripCasts(step.args[0]) === key && by.kind === 'const' && by.constant !== null && by.constant !== 0n
  })

/** `b` can run after `a` before the next round begins. */
const canFollowInRound = ({ blocks }: Flow, mark: LoopMark, a: Op, b: Op): boolean => {
  if (a.block === b.block && isBefore(a, b)) return true
  const seen = new Set<number>([mark.header])
  const work = [...blocks[a.block]!.succs]
  while (work.length > 0) {
    const next = work.pop()!
    if (seen.has(next) || next < mark.header || next > mark.last) continue
    if (next === b.block) return true
    seen.add(next)
    work.push(...blocks[next]!.succs)
  }
  return false
}

/** The place is set to a mark only when a test of it, read again after the call, still holds: of two that nest, one fails. */
const isTestedAgain = (flow: Flow, call: CallOp, write: Write): boolean => {
  const place = write.location
  if (place === null || write.op.kind !== 'store' || !isMarking(stripCasts(write.op.args[0]))) return false
  return flow.answerAbout(write.op, readsTested).some((read) => read.location === place && isBefore(call, read))
}

/** Reads of state before a write on every path that decide whether it runs. */
const readsTested = (flow: Flow, write: Op): readonly LoadOp[] =>
  guardsAt(flow, write)
    .flatMap(({ condition }) => stateReadsOf(flow, condition))
    .filter((read) => flow.dominates(read, write))

/** Neither a condition nor the ether of the call rests on what was read before it, and the new value is less than what is read after it. */
const isReadAgainAfter = (flow: Flow, call: CallOp, write: Write): boolean => {
  const value = write.op.kind === 'store' ? stripCasts(write.op.args[0]) : null
  if (value?.kind !== 'bin' || value.operator !== '-') return false
  const fresh = stripCasts(value.args[0])
  if (fresh.kind !== 'load' || fresh.location !== write.location || !isBefore(call, fresh)) return false
  if (!value.flag && !isAtLeast(flow, value.args[0], value.args[1], value)) return false
  const deciding = [
    ...guardsAt(flow, call).map(({ condition }) => condition),
    ...(call.call.value === null ? [] : [call.call.value]),
  ]
  return !deciding.some((root) => stateReadsOf(flow, root).some((read) => isSameState(read, write)))
}

/** `require(count == before)` with `count` read again: anyone who came back and changed it made this fail. */
const isUnchangedSince = (flow: Flow, call: CallOp, { location }: Write): boolean =>
  location !== null &&
  flow.answer(comparedWithItself).some(({ check, first, second }) => {
    if (isBefore(check, call) || first.location !== location) return false
    return isBefore(first, call) !== isBefore(second, call) && flow.isFollowedBy(call, check) && isRequired(flow, check)
  })

/** Comparisons of what a place holds with what it held before. */
const comparedWithItself = (flow: Flow): readonly { check: Op; first: Op; second: Op }[] => {
  const found: { check: Op; first: Op; second: Op }[] = []
  for (const check of flow.ops('bin')) {
    if (check.operator !== '==' && check.operator !== '!=') continue
    const first = stripCasts(check.args[0])
    const second = stripCasts(check.args[1])
    if (first.kind === 'load' && second.kind === 'load' && first.location === second.location)
      found.push({ check, first, second })
  }
  return found
}

/** Two values must be the same to go on. */
const isRequired = (flow: Flow, check: Op): boolean => {
  if (check.operator === '==' && flow.usersOf(check).some(({ kind }) => kind === 'assume')) return true
  return flow.branchesOn(check).some(({ succs }) => {
    const differs = flow.blocks[succs[check.operator === '!=' ? 0 : 1]!]!.ops
    return differs[differs.length - 1]?.kind === 'revert'
  })
}

/**
 * `require(msg.value > best); leader.call{value: best}(""); best = msg.value; leader = msg.sender;`: each pass brings as much ether as
 * it hands out, does nothing else for others, and the pass that ends last leaves nothing of those within it.
 */
const isPaidFor = (flow: Flow, call: CallOp, { op }: Write): boolean => {
  const { value } = call.call
  if (value === null || op.kind !== 'store' || readsState(flow, op.args[0])) return false
  if (flow.externalCalls().some((other) => other !== call)) return false
  return guardsAt(flow, call).some(({ condition }) =>
    stripCasts(condition).args.some((side) => isMessageValue(side) && isAtLeast(flow, side, value, call)),
  )
}

const isMarking = ({ kind, operator, args }: Op): boolean =>
  kind === 'const' || (kind === 'bin' && operator === '|' && args.some((arg) => stripCasts(arg).kind === 'const'))

/**
 * The place got another value between the last of these reads and the call, as when a loan is recorded before it is handed
 * out: a callee that calls back finds that one, and not the one on which the decision was made.
 */
const isRenewed = (flow: Flow, call: CallOp, reads: readonly Op[], write: Write): boolean => {
  const place = write.location
  if (place === null) return false
  const renewals = lastStoresBefore(flow, call)
  const isRenewedBy = (renewal: StoreOp | undefined, stale: readonly Op[]): boolean => {
    if (renewal === undefined || stale.some((read) => isBefore(renewal, read))) return false
    // What was stored may itself be what decides: `count++; if (count == 2) …`.
    const stored = renewal.args[0]
    return !decidersOf(flow, call).some((root) => dependsOn(flow, root, (op) => op === stored))
  }
  // `a -= x; b += x; notify(b); a -= fee;`, where what is read after the call may be the same entry under another key.
  if (isRenewedBy(renewals.get(place), reads)) return true
  return (
    flow.loopMarkAround(call) === null &&
    reads.every(({ location }) => location !== null && location !== place) &&
    reads.every((read) => isRenewedBy(renewals.get(read.location!), [read]))
  )
}

/** The last store to each place on every path to the call. */
const lastStoresBefore = (flow: Flow, call: CallOp): ReadonlyMap<Location, StoreOp> =>
  flow.remember(lastStoresBefore, call, () => {
    const before = flow.stateStores().filter((store) => isBefore(store, call) && flow.dominates(store, call))
    return new Map(before.map((store) => [store.location, store]))
  })

/** Puts back what the state was before the call, also out of a copy of the record. */
const restores = (flow: Flow, call: CallOp, { op, location }: Write): boolean => {
  const value = op.kind === 'store' ? stripCasts(op.args[0]) : null
  return value !== null && value.kind === 'load' && location !== null && isReadBefore(flow, value, location, call)
}

/** What the place held at some time before the call. */
const isReadBefore = (flow: Flow, value: LoadOp, place: Location, op: Op): boolean =>
  value.location === place ? flow.dominates(value, op) : isKeptCopy(flow, value.location, place, op)

/** A field of a copy in memory that was made before the call, and is not written. */
const isKeptCopy = (flow: Flow, field: Location, place: Location, op: Op): boolean => {
  const record = field.base === null ? null : stripCasts(field.base)
  if (record?.kind !== 'load' || record.location !== place.parent || field.name !== place.name) return false
  const content = contentOf(flow, field)
  return flow.dominates(record, op) && content !== null && content.values.length === 0
}

/**
 * `rate = record.rate; record.rate = 0; token.mint(to, rate * periods); record.rate = rate;`: a nested call multiplies by zero, and gets
 * nothing out of what is still to be written.
 */
const isFactorCleared = (flow: Flow, call: CallOp, { location }: Write): boolean =>
  location !== null && clearedFactors(flow, call).some((place) => place !== location)

/** Once for each call, however many writes follow it. */
const clearedFactors = (flow: Flow, call: CallOp): readonly Location[] =>
  flow.remember(clearedFactors, call, () => {
    const amounts = call.call.value === null ? call.args : [...call.args, call.call.value]
    if (amounts.length === 0) return []
    const clears = [...lastStoresBefore(flow, call).values()].filter(({ args }) => isZero(args[0]))
    return clears.flatMap((clear) => {
      const isFactor = (value: Op): boolean => {
        const factor = stripCasts(value)
        return factor.kind === 'load' && isReadBefore(flow, factor, clear.location, clear)
      }
      const isProduct = ({ kind, operator, args }: Op): boolean =>
        kind === 'bin' && operator === '*' && args.some(isFactor)
      return amounts.some((amount) => dependsOn(flow, amount, isProduct)) ? [clear.location] : []
    })
  })
