/**
 * What a token's hooks, or a callee that an outsider chose, can upset. Many tokens let the one who pays or receives run code while they move; whatever this
 * function has measured, priced or half recorded by then is old when it goes on.
 */

import {
  dependsOn,
  findDependency,
  guardsAt,
  isOrigin,
  isProtected,
  isUntrusted,
  lockedAt,
  stateReadsOf,
} from '../facts/index.ts'
import {
  type BinaryOp,
  type CallOp,
  type ContractFlow,
  type Flow,
  isBefore,
  isOrdering,
  type LoadOp,
  type Location,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  type StoreOp,
  sameValueOrPlace,
  stripCasts,
} from '../ir/index.ts'
import { firstPast } from '../syntax/index.ts'
import { isOwnTokenBalance, type TokenCall, tokenCalls } from './token-calls.ts'

export interface HookWindow {
  /** The movement of tokens during which others run. */
  readonly call: Op
  /** What was looked at before it. */
  readonly before: Op
  /** What relies on that after it. */
  readonly after: Op
  readonly kind: 'measured' | 'kept' | 'priced' | 'limited' | 'tracked' | 'split'
}

/** The first such window of a flow among the calls of interest: one cause is enough to ask for a lock. */
export const hookWindow = (flow: Flow, isOfInterest: (call: CallOp) => boolean): HookWindow | null => {
  if (flow.isConstructor) return null
  const isOpen = (op: CallOp): boolean => lockedAt(flow, op) === null && isOfInterest(op)
  if (tokenCalls(flow).length === 0) return null
  const moves = tokenCalls(flow).filter((move) => canCallBack(flow, move) && isOpen(move.op))
  for (const { op } of moves) {
    const found = measured(flow, op) ?? kept(flow, op) ?? tracked(flow, op) ?? split(flow, op)
    if (found !== null) return found
  }
  return priced(flow, moves) ?? shared(flow, moves) ?? limited(flow, moves)
}

/** An outsider's account pays or receives. */
const canCallBack = (flow: Flow, { op, name, from, to }: TokenCall): boolean => {
  if (name === 'approve' || op.call.isStatic) return false
  const party = name === 'transferFrom' ? from! : to
  // Anyone who started the transaction has no code that could run.
  return !isOrigin(party) && isUntrusted(flow, party, op)
}

const isBalanceQuery = (op: Op): boolean => op.kind === 'call' && op.call.name === 'balanceOf' && op.args.length === 1

const runsBefore = (flow: Flow, op: Op, call: Op): boolean => isBefore(op, call) && flow.dominates(op, call)

const runsAfter = (flow: Flow, call: Op, op: Op): boolean => isBefore(call, op) && flow.canFollow(call, op)

/** Balance after less balance before is recorded: what came in during a nested entry is counted twice. */
const measured = (flow: Flow, call: Op): HookWindow | null => {
  for (const difference of flow.answer(balanceDifferences)) {
    if (!runsAfter(flow, call, difference)) continue
    const [now, then] = difference.args.map(stripCasts) as [Op, Op]
    if (!runsBefore(flow, then, call) || !runsAfter(flow, call, now) || !sameValueOrPlace(now.args[0]!, then.args[0]!))
      continue
    const after = flow
      .stateStores()
      .find((store) => runsAfter(flow, call, store) && dependsOn(flow, store.args[0], (op) => op === difference))
    if (after !== undefined) return { call, before: then, after, kind: 'measured' }
  }
  return null
}

/** One balance less another. */
const balanceDifferences = (flow: Flow): readonly Op[] =>
  flow.ops('call').some(isBalanceQuery)
    ? [...flow.ops('bin'), ...flow.ops('call')].filter(
        (op) => isDifference(op) && op.args.map(stripCasts).every(isBalanceQuery),
      )
    : []

/** Also by a function of a missing library, which can do little else with two balances. */
const isDifference = ({ kind, operator, call, args }: BinaryOp | CallOp): boolean =>
  kind === 'bin' ? operator === '-' : args.length === 2 && call.definition === null && !call.inlined

/** A sum that was begun before the call is stored after it: what was recorded meanwhile is lost. */
const kept = (flow: Flow, call: Op): HookWindow | null => {
  for (const { after, reads } of flow.answer(sumsAround).get(call) ?? []) {
    if (!runsAfter(flow, call, after)) continue
    const before = reads.find((op) => runsBefore(flow, op, call))
    if (before === undefined || isRecorded(flow, after.location, call)) continue
    return { call, before, after, kind: 'kept' }
  }
  return null
}

interface Sum {
  readonly after: StoreOp
  /** Reads of the same place that the sum starts from. */
  readonly reads: readonly Op[]
}

/** The sums that are begun before a movement of tokens and stored after it, of each movement. */
const sumsAround = (flow: Flow): ReadonlyMap<Op, readonly Sum[]> => {
  const moves = tokenCalls(flow).map(({ op }) => op)
  const around = new Map<Op, Sum[]>()
  for (const after of flow.stateStores()) {
    const reads = summandsOf(flow, after.args[0]).filter((op) => op.kind === 'load' && op.location === after.location)
    for (let i = firstPast(moves, (move) => reads.some((read) => isBefore(read, move))); i < moves.length; i++) {
      const move = moves[i]!
      if (!isBefore(move, after)) break
      const sums = around.get(move) ?? []
      around.set(move, sums)
      sums.push({ after, reads })
    }
  }
  return around
}

/** The place was written before the call: anyone who enters again finds that. */
const isRecorded = (flow: Flow, place: Location, call: Op): boolean =>
  flow.stateStores().some((store) => runsBefore(flow, store, call) && mayOverlap(store.location, place))

/** The values that a sum starts from, through locals and memory. */
const summandsOf = (flow: Flow, value: Op): Op[] => {
  const found: Op[] = []
  const seen = new Set<Op>()
  const work = [value]
  while (work.length > 0 && seen.size < 60) {
    const op = stripCasts(work.pop()!)
    if (seen.has(op)) continue
    seen.add(op)
    if (op.kind === 'bin' ? op.operator === '+' || op.operator === '-' : op.kind === 'phi') work.push(...op.args)
    else if (op.kind === 'select') work.push(op.args[1], op.args[2])
    else if (op.kind === 'load' && op.location.space === 'memory') {
      for (const store of flow.memoryStoresTo(op.location)) work.push(store.args[0])
    } else found.push(op)
  }
  return found
}

/** Another function takes the balance beyond what is recorded as new, and this one books only after the tokens moved. */
const tracked = (flow: Flow, call: Op): HookWindow | null => {
  for (const after of flow.answer(storesOfRecorded)) {
    if (!runsAfter(flow, call, after) || isRecorded(flow, after.location, call)) continue
    return { call, before: call, after, kind: 'tracked' }
  }
  return null
}

const storesOfRecorded = (flow: Flow): readonly StoreOp[] =>
  flow
    .stateStores()
    .filter(({ location }) => location.variable !== null && flow.contractFlow.answerAt(location, isSurplusTaken))

/** Some function takes the balance beyond what is recorded, as new. */
const isSurplusTaken = (contractFlow: ContractFlow, place: Location): boolean =>
  contractFlow
    .readersOf(place.variable!)
    .some(({ op, flow }) => mayOverlapAcross(op.location, place) && isReachable(flow) && takesSurplus(flow, op))

/** By outsiders, or by the missing base whose function it overrides. */
const isReachable = ({ isEntryPoint, fn }: Flow): boolean => isEntryPoint || (fn?.node.override ?? null) !== null

/** The balance, less something. */
const surplusesOf = (flow: Flow): readonly BinaryOp[] =>
  flow.ops('bin').filter(({ operator, args }) => operator === '-' && isOwnTokenBalance(args[0]))

const takesSurplus = (flow: Flow, recorded: Op): boolean => {
  for (const op of flow.answer(surplusesOf)) {
    if (!summandsOf(flow, op.args[1]).includes(recorded)) continue
    if (!flow.stateStores().some((store) => runsAfter(flow, op, store))) continue
    if (lockedAt(flow, op) === null && !isProtected(flow, op)) return true
  }
  return false
}

/** Something was settled from a place before the call, and the place itself changes only after it. */
const split = (flow: Flow, call: Op): HookWindow | null => {
  for (const { after, from } of flow.answer(settlements)) {
    if (!runsAfter(flow, call, after) || isRecorded(flow, after.location, call)) continue
    for (const { settled, reads } of from) {
      if (isBefore(call, settled) || !flow.canFollow(settled, call)) continue
      const before = reads.find((op) => isBefore(op, call))
      if (before !== undefined) return { call, before, after, kind: 'split' }
    }
  }
  return null
}

interface Settled {
  readonly settled: StoreOp
  /** Reads of the other place that it was settled from. */
  readonly reads: LoadOp[]
}

interface Settlement {
  readonly after: StoreOp
  readonly from: readonly Settled[]
}

/** Writes to a place that something elsewhere was settled from. */
const settlements = (flow: Flow): readonly Settlement[] => {
  const byPlace = new Map<Location, Settled[]>()
  for (const settled of flow.stateStores())
    for (const read of stateReadsOf(flow, settled.args[0])) {
      if (mayOverlap(settled.location, read.location)) continue
      const known = byPlace.get(read.location) ?? []
      byPlace.set(read.location, known)
      if (known.at(-1)?.settled === settled) known.at(-1)!.reads.push(read)
      else known.push({ settled, reads: [read] })
    }
  return flow.stateStores().flatMap((after) => {
    const from = after.location.variable === null ? undefined : byPlace.get(after.location)
    return from === undefined ? [] : [{ after, from }]
  })
}

const readsOwnBalance = (flow: Flow): boolean => flow.ops('call').some(isOwnTokenBalance)

/** An amount follows from the contract's token balances before a movement and is handed out after it. */
const priced = (flow: Flow, moves: readonly TokenCall[]): HookWindow | null => {
  if (!flow.answer(readsOwnBalance)) return null
  const followsFromBalances = (amount: Op): boolean =>
    !isOwnTokenBalance(amount) && dependsOn(flow, amount, isOwnTokenBalance, { isKept: true })
  const transfers = moves.filter(({ name, amount }) => name === 'transfer' && followsFromBalances(amount))
  const stores = flow.stateStores().filter(({ args }) => followsFromBalances(args[0]))
  if (transfers.length + stores.length === 0) return null
  for (const { op: call } of moves) {
    const isOldBalance = (op: Op): boolean => isOwnTokenBalance(op) && runsBefore(flow, op, call)
    const first = moves.some(({ op }) => op.start !== call.start && isBefore(op, call) && flow.canFollow(op, call))
    const uses = [
      ...transfers.filter(({ op }) => op.start !== call.start).map(({ op, amount }) => [op, amount] as const),
      ...(first ? stores.map((store) => [store, store.args[0]] as const) : []),
    ]
    for (const [after, amount] of uses) {
      if (!runsAfter(flow, call, after)) continue
      const before = findDependency(flow, amount, isOldBalance)
      if (before !== undefined) return { call, before, after, kind: 'priced' }
    }
  }
  return null
}

/** Shares are recorded after the call for the balance before it and what else is read after it: a nested entry changes the one and not the other. */
const shared = (flow: Flow, moves: readonly TokenCall[]): HookWindow | null => {
  if (!flow.answer(readsOwnBalance)) return null
  for (const { op: call } of moves) {
    const isOldBalance = (op: Op): boolean => isOwnTokenBalance(op) && runsBefore(flow, op, call)
    const isReadLater = (op: Op): boolean => (isStateNumber(op) || op.kind === 'call') && runsAfter(flow, call, op)
    for (const quotient of flow.ops('bin')) {
      if (quotient.operator !== '/') continue
      const before = findDependency(flow, quotient.args[1], isOldBalance)
      if (before === undefined || !dependsOn(flow, quotient.args[0], isReadLater)) continue
      const isRecordedLater = (store: StoreOp): boolean =>
        runsAfter(flow, call, store) && dependsOn(flow, store.args[0], (op) => op === quotient)
      const after = flow.stateStores().find(isRecordedLater)
      if (after !== undefined) return { call, before, after, kind: 'priced' }
    }
  }
  return null
}

/** A limit is tested before the call, and what counts towards it is raised only after it. */
const limited = (flow: Flow, moves: readonly TokenCall[]): HookWindow | null => {
  for (const { op: call } of moves)
    for (const { condition } of guardsAt(flow, call)) {
      const before = flow.answerAbout(condition, numberLimited)
      if (before === undefined || isRecorded(flow, before.location, call)) continue
      const after = flow
        .stateStores()
        .find((store) => runsAfter(flow, call, store) && mayOverlap(store.location, before.location) && isRaise(store))
      if (after !== undefined) return { call, before, after, kind: 'limited' }
    }
  return null
}

/** What is stored, where a condition holds it against something. */
const numberLimited = (flow: Flow, condition: Op): LoadOp | undefined =>
  condition.kind === 'bin' && isOrdering(condition.operator)
    ? condition.args.map((side) => findDependency(flow, side, isStateNumber)).find((load) => load)
    : undefined

const isStateNumber = (op: Op): op is LoadOp => op.kind === 'load' && op.location.space === 'state'

const isRaise = ({ args }: StoreOp): boolean => {
  const value = stripCasts(args[0])
  return value.kind === 'bin' && value.operator === '+'
}
