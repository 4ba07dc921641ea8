/** What is out of step while an outsider's code runs: state, the accounting of another contract, a balance that a price follows from. */
import {
  dependsOn,
  guardsAt,
  implementedBy,
  isKeyedBySender,
  isProtected,
  isSender,
  lockedAt,
  type Write,
  writesAfter,
} from '../../facts/index.ts'
import {
  columnOf,
  controlTransfers,
  impactOf,
  isColumnPaidFrom,
  isInColumn,
  isOwnTokenBalance,
  isSelf,
  keysOf,
  notifiedBy,
  paymentsOf,
  tokenCallOf,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  isBefore,
  isTransient,
  type LoadOp,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import type { FunctionModel, VariableModel } from '../../model/index.ts'

export interface Window {
  readonly flow: Flow
  readonly call: CallOp
  /** What was read or written before the call. */
  readonly before: Op
  /** What follows the call and should have come first. */
  readonly after: Op
  /** The state that is out of date; null where another contract keeps it. */
  readonly variable: VariableModel | null
  readonly kind: 'stale' | 'split' | 'elsewhere' | 'quoted'
  /** A function that counts with the half that is written after the call. */
  readonly reader?: Flow
}

/** A modifier or a library repeats its text in one execution: so many copies of one pair of places are looked at. */
const mostCopies = 2

export function* windowsOf(flow: Flow): Iterable<Window> {
  const copies = new Map<string, number>()
  for (const window of allWindows(flow)) {
    const places = `${window.kind} ${window.call.start} ${window.after.start}`
    const count = (copies.get(places) ?? 0) + 1
    copies.set(places, count)
    if (count <= mostCopies) yield window
  }
}

function* allWindows(flow: Flow): Iterable<Window> {
  for (const call of transfersOf(flow)) {
    yield* staleAround(flow, call)
    yield* splitAround(flow, call)
    yield* updatedAfter(flow, call)
  }
  yield* quotedBefore(flow)
}

/** `token.transfer(to, token.balanceOf(address(this)))` of a missing interface: what is only called for an argument comes last. */
const transfersOf = (flow: Flow): readonly CallOp[] => {
  const transfers = controlTransfers(flow)
  const all = new Set<Op>(transfers)
  const isArgument = (op: CallOp): boolean =>
    op.call.definition === null && flow.usersOf(op).some((user) => all.has(user) && user.args.includes(op))
  return [...transfers.filter((op) => !isArgument(op)), ...transfers.filter(isArgument)]
}

/** Writes that come after the call in one execution, and in no round before it on every path. */
const lateWrites = (flow: Flow, call: CallOp): readonly Write[] =>
  writesAfter(flow, call).filter(
    ({ op }) =>
      !(op.kind === 'store' && isTransient(op)) && !(isBefore(op, call) && flow.dominates(op, call)) && op !== call,
  )

/** Read before the call, written after it. */
function* staleAround(flow: Flow, call: CallOp): Iterable<Window> {
  const reads = readsBefore(flow, call)
  for (const write of lateWrites(flow, call)) {
    const before = reads.find((load) => isSameState(load, write))
    if (before !== undefined) yield { flow, call, before, after: write.op, variable: write.variable, kind: 'stale' }
  }
}

const readsBefore = (flow: Flow, call: CallOp): readonly LoadOp[] =>
  flow.stateLoads().filter((load) => isBefore(load, call) && flow.canFollow(load, call))

const isSameState = (load: LoadOp, { location, variable }: Write): boolean =>
  location === null ? load.location.variable === variable : mayOverlap(load.location, location)

/** Some of the accounting is written before the call and the rest after it, and another function counts with the rest. */
function* splitAround(flow: Flow, call: CallOp): Iterable<Window> {
  const halves = flow
    .stateStores()
    .filter((store) => isBefore(store, call) && isNumberMoved(store) && flow.dominates(store, call))
  const isKeptElsewhere = isRecordedBy(call)
  if (halves.length === 0 && !isKeptElsewhere) return
  for (const { op, variable, location } of lateWrites(flow, call)) {
    if (op.kind !== 'store' || location === null || variable === null) continue
    const before = halves.find((half) => !mayOverlap(half.location, location)) ?? (isKeptElsewhere ? call : undefined)
    if (before === undefined) continue
    const column = columnOf(location)
    if (column === null || !isNumberMoved(op)) continue
    const reader = flow.contractFlow.entryPoints.find(
      (entry) =>
        entry !== flow &&
        changesSomething(entry) &&
        entry.stateLoads().some((load) => isInColumn(load.location, column)),
    )
    if (reader !== undefined) yield { flow, call, before, after: op, variable, kind: 'split', reader }
  }
}

/** A contract of the scan keeps one half of it, and passes control on. */
const isRecordedBy = ({ call }: CallOp): boolean =>
  call.kind === 'external' && call.definition !== null && call.definition.contract?.isStub === false

/** `total += x`, and not a stamp, a flag or an owner. */
const isNumberMoved = (store: StoreOp): boolean =>
  stripCasts(store.args[0]).kind === 'bin' && store.location.type?.kind === 'int' && !isTransient(store)

export const changesSomething = (flow: Flow): boolean =>
  flow.fn?.mutability !== 'view' &&
  flow.fn?.mutability !== 'pure' &&
  (flow.stateStores().length > 0 || flow.externalCalls().length > 0)

/** Another contract is read before the call, and updated only after it. */
function* updatedAfter(flow: Flow, call: CallOp): Iterable<Window> {
  const calls = flow.externalCalls()
  for (const after of calls) {
    if (
      isSameContract(call, after) ||
      after.start === call.start ||
      after.call.isStatic ||
      after.call.kind !== 'external'
    )
      continue
    if (!isBefore(call, after) || !flow.canFollow(call, after) || tokenCallOf(after) !== null) continue
    const before = calls.find(
      (queried) =>
        queried.call.isStatic &&
        isBefore(queried, call) &&
        flow.canFollow(queried, call) &&
        isSameContract(queried, after),
    )
    const settled = before ?? (isAboutSender(after) ? ownEntryBefore(flow, call) : undefined)
    if (settled !== undefined) yield { flow, call, before: settled, after, variable: null, kind: 'elsewhere' }
  }
}

/** A contract of the scan is called with the caller's address. */
const isAboutSender = ({ call, args }: CallOp): boolean => call.definition !== null && args.some(isSender)

/** The caller's own entry is written before the call: one half of an update whose other half is elsewhere. */
const ownEntryBefore = (flow: Flow, call: CallOp): StoreOp | undefined =>
  flow
    .stateStores()
    .find((store) => isKeyedBySender(store.location) && isBefore(store, call) && flow.canFollow(store, call))

const isSameContract = (one: CallOp, other: CallOp): boolean => {
  const [a, b] = [one.call.target, other.call.target]
  return a !== null && b !== null && !isSelf(a) && sameValueOrPlace(a, b)
}

/** Tokens are handed out at a price from the own balance, and what is paid for them comes in last, with a call to the payer first (ERC-777). */
function* quotedBefore(flow: Flow): Iterable<Window> {
  for (const call of flow.externalCalls()) {
    const token = tokenCallOf(call)
    if (token === null || token.from === null || !isSelf(token.to) || token.token === null) continue
    const isQuote = (op: Op): boolean => isOwnTokenBalance(op) && isBefore(op, call)
    if (!dependsOn(flow, token.amount, isQuote)) continue
    const given = flow
      .stateStores()
      .find((store) => isBefore(store, call) && flow.dominates(store, call) && isNumberMoved(store))
    if (given !== undefined)
      yield { flow, call, before: given, after: call, variable: given.location.variable, kind: 'quoted' }
  }
}

/**
 * Half of an update is written and the other half is not, while an outsider's code runs without a lock, and assets move here or follow from
 * the late half. A plain token may be one that the protocol lists, and a borrower who pays back after the call restores both halves.
 */
export const decidesOnAssets = ({ flow, call, before, after, kind }: Window): boolean => {
  if (kind !== 'split' || lockedAt(flow, call) !== null || isTokenFunction(call) || isPaidBack(flow, call)) return false
  // Of an interface nothing says that it keeps the other half.
  if ((before === call && !call.call.definition?.isImplemented) || isAnswerCounted(flow, call)) return false
  const column = after.location === null ? null : columnOf(after.location)
  return impactOf(flow) === 'assets' || (column !== null && isColumnPaidFrom(flow, column))
}

/** `total += model.rate() * elapsed`: who may say that is trusted with more than a callback. */
const isAnswerCounted = (flow: Flow, call: CallOp): boolean =>
  flow.stateStores().some(({ args }) => dependsOn(flow, args[0], (op) => op === call))

/** Itself, or the helper that it is in: wrappers call the token in assembly. */
const isTokenFunction = (call: CallOp): boolean => {
  if (notifiedBy(call) !== null) return false
  if (tokenCallOf(call) !== null || call.call.name === 'permit') return true
  for (let at = call.site; at !== null; at = at.parent) if (at.call !== null && tokenCallOf(at.call)) return true
  return false
}

/** `receiver.onLoan(n); token.transferFrom(receiver, address(this), n)` */
const isPaidBack = (flow: Flow, call: CallOp): boolean =>
  paymentsOf(flow).some(
    ({ op, from }) => from !== null && !isSender(from) && isBefore(call, op) && flow.canFollow(call, op),
  )

/** A lock is held, and whatever else an outsider can call while it is held and that counts with the same state asks for a lock too. */
export const isCovered = ({ flow, call, variable, after }: Window): boolean => {
  const lock = lockedAt(flow, call)
  if (lock === null) return false
  if (variable !== null && variable === lock.variable) return true
  if (after.location !== null && after.location === lock.location) return true
  if (variable !== null) return flow.contractFlow.answer(createOpen).of(variable).length === 0
  return after.kind === 'call' && isClosedElsewhere(flow, after)
}

/** Entry points that count with a variable and change something, which an outsider gets into although a lock is held. */
class OpenReaders {
  readonly #known = new Map<VariableModel, readonly Flow[]>()
  readonly #contractFlow: ContractFlow

  constructor(contractFlow: ContractFlow) {
    this.#contractFlow = contractFlow
  }

  of(variable: VariableModel): readonly Flow[] {
    let found = this.#known.get(variable)
    if (found === undefined) {
      found = this.#contractFlow.entryPoints.filter((entry) => isOpenTo(entry, variable))
      this.#known.set(variable, found)
    }
    return found
  }
}

const createOpen = (contractFlow: ContractFlow): OpenReaders => new OpenReaders(contractFlow)

const isOpenTo = (entry: Flow, variable: VariableModel): boolean =>
  changesSomething(entry) &&
  entry
    .stateLoads()
    .some((load) => load.location.variable === variable && isCountedWith(entry, load) && isOpenAt(entry, load)) &&
  entry.stateStores().some((store) => isOpenAt(entry, store))

const isOpenAt = (entry: Flow, op: Op): boolean => lockedAt(entry, op) === null && !isProtected(entry, op)

/** Not only to move the very place: `balances[msg.sender] += amount`. */
const isCountedWith = (entry: Flow, load: LoadOp): boolean =>
  entry
    .usersOf(load)
    .some(
      (user) =>
        !(
          user.kind === 'bin' &&
          user.operator === '+' &&
          entry.usersOf(user).every((end) => end.location === load.location)
        ),
    )

/** Only a privileged account can write what this call makes the other contract write. */
const isClosedElsewhere = (flow: Flow, { call }: CallOp): boolean => {
  const { definition } = call
  if (definition === null) return true
  const known = flow.contractFlow.shared.answer(createClosed)
  let isClosed = known.get(definition)
  if (isClosed === undefined) {
    const bodies = definition.isImplemented ? [definition] : implementedBy(flow, definition)
    isClosed = bodies.every((body) => isWrittenByKeeper(flow.contractFlow, body))
    known.set(definition, isClosed)
  }
  return isClosed
}

const createClosed = (): Map<FunctionModel, boolean> => new Map()

/** Whatever else writes the variables that a function writes is protected. */
const isWrittenByKeeper = (contractFlow: ContractFlow, body: FunctionModel): boolean => {
  const written = new Set(
    contractFlow
      .follow(body)
      .stateStores()
      .map(({ location }) => location.variable),
  )
  return (body.contract?.allFunctions ?? []).every((fn) => {
    if (!fn.isImplemented || fn === body || (fn.visibility !== 'public' && fn.visibility !== 'external')) return true
    const other = contractFlow.follow(fn)
    return other.stateStores().every((store) => !written.has(store.location.variable) || isProtected(other, store))
  })
}

/** Written before the call too, and what is written after it uses the value that is stored then. */
export const isRenewed = ({ flow, call, after, kind }: Window): boolean => {
  if (kind !== 'stale' || after.kind !== 'store') return false
  const { location, args } = after
  const isWritten = flow.stateStores().some((store) => store.location === location && isBefore(store, call))
  return isWritten && (stripCasts(args[0]).kind === 'const' || dependsOn(flow, args[0], isReadAgain(call, after)))
}

const isReadAgain =
  (call: CallOp, { location }: StoreOp) =>
  (op: Op): boolean =>
    op.kind === 'load' && op.location === location && isBefore(call, op)

/** A condition on the path to the write reads the state again after the call. */
export const isTestedAgain = ({ flow, call, after }: Window): boolean =>
  after.kind === 'store' &&
  guardsAt(flow, after).some(({ condition }) => dependsOn(flow, condition, isReadAgain(call, after)))

/** The record belongs to the callee: `held[token] += amount` after a call of `token`. */
export const isOfCallee = ({ call: { call }, after }: Window): boolean =>
  call.target !== null && after.kind === 'store' && keysOf(after.location).some((key) => sameValue(key, call.target!))
