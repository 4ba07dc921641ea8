/** Payments, and claims to be paid later, after which everything that allowed them still holds. */
import {
  dependsOn,
  type Fact,
  fromFactsAt,
  guardsAt,
  isSender,
  lockedAt,
  parametersIn,
  relationsOf,
  stateReadsOf,
} from '../../facts/index.ts'
import {
  columnOf,
  entriesOf,
  isColumnPaidFrom,
  isInColumn,
  isPaidFrom,
  isSameAmount,
  isSelf,
  keysOf,
  loweredBy,
  outgoingOf,
  type Payment,
  paymentsOf,
  proofOf,
  raisedBy,
} from '../../idioms/index.ts'
import {
  alternativesOf,
  bothOrders,
  type Flow,
  isBefore,
  isEquality,
  isOrdering,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { isUnbound } from './unbound-marks.ts'

export interface Candidate {
  readonly flow: Flow
  readonly payment: Leaving
  readonly why: Why
}

export type Leaving = Pick<Payment, 'amount'> & {
  readonly op: Op
  /** What is done instead of a payment: a total moves, or what waits is applied. */
  readonly act?: 'total' | 'applied'
}

export type Why =
  /** The record that says how much there is stays as it is. */
  | { readonly kind: 'limit'; readonly record: Location }
  /** The record is cleared, but only on some paths. */
  | { readonly kind: 'sometimes'; readonly record: Location; readonly store: Op }
  /** A record is raised that is paid from later; the one that limits it stays as it is. */
  | { readonly kind: 'request'; readonly record: Location; readonly claim: StoreOp }
  /** What is paid is what a record says, and the record says the same afterwards. */
  | { readonly kind: 'stays'; readonly record: Location }
  /** All of a record is added to another one, both are paid from, and the first says the same afterwards. */
  | { readonly kind: 'credited'; readonly record: Location; readonly claim: StoreOp }
  /** What is paid grows with the time since a moment on record, and the moment stays as it is. */
  | { readonly kind: 'elapsed'; readonly record: Location; readonly span: Op }
  /** What is paid is so much more than a record says was paid before, and the record stays as it is. */
  | { readonly kind: 'difference'; readonly record: Location; readonly from: Op }
  /** A user's entry is lowered within what they allowed, and the allowance stays as it is. */
  | { readonly kind: 'allowance'; readonly record: Location }
  /** Another account's entry goes to the caller because of what that account owes, and the debt stays. */
  /** What grows with time is counted from a moment that is left where it was while there was nothing. */
  | { readonly kind: 'idle'; readonly record: Location; readonly clock: StoreOp }
  /** Nothing that the payout rests on changes; only a mark is left that no function reads. */
  | { readonly kind: 'repeated'; readonly record: Location; readonly mark: Location | null }
  /** A proof is held against what the contract keeps, and can be shown again. */
  | { readonly kind: 'proof'; readonly proof: Fact }

/** What leaves: ether, tokens, or an amount that another contract is instructed to move from here. */
const findLeaving = (flow: Flow): readonly Leaving[] => {
  const known = new Set(paymentsOf(flow).map(({ op }) => op.start))
  const moved = flow.externalCalls().flatMap((op) => {
    if (op.call.isStatic || known.has(op.start) || !op.args.some((arg) => isSelf(arg))) return []
    return op.args.filter((arg) => stripCasts(arg).kind === 'param').map((amount) => ({ op, amount }))
  })
  return [...outgoingOf(flow), ...moved]
}

const leavingFrom = (flow: Flow): readonly Leaving[] => flow.answer(findLeaving)

/** `require(record >= amount)`: a record holds a number of the caller's against something. */
interface Limit {
  readonly amount: Op
  readonly record: Location
}

const limitsIn = (_: Flow, { condition: tested, polarity }: Fact): readonly Limit[] => {
  const condition = stripCasts(tested)
  if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return []
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  // A record that the amount must exceed is a minimum.
  const [amount, other] = condition.operator.startsWith('<') === polarity ? [left, right] : [right, left]
  if (amount.kind !== 'param' || other.kind !== 'load' || other.location.space === 'memory') return []
  return keysOf(other.location).length > 0 ? [{ amount, record: other.location }] : []
}

function* limitsOn(flow: Flow, payment: Leaving): Iterable<Location> {
  const requested = parametersIn(flow, payment.amount)
  if (requested.size === 0) return
  for (const { amount, record } of fromFactsAt(flow, payment.op, limitsIn)) if (requested.has(amount)) yield record
}

/** A record limits what is paid, and after the payment it says the same as before. */
export function* neverUsedUp(flow: Flow): Iterable<Candidate> {
  for (const payment of leavingFrom(flow))
    for (const record of limitsOn(flow, payment)) yield { flow, payment, why: { kind: 'limit', record } }
}

/** All of the record is paid, and it is cleared only on some of the ways that lead to the payment. */
export function* clearedSometimes(flow: Flow): Iterable<Candidate> {
  for (const payment of leavingFrom(flow)) {
    const amount = stripCasts(payment.amount)
    if (amount.kind !== 'load' || amount.location.space === 'memory') continue
    const record = amount.location
    if (!keysOf(record).some(isSender)) continue
    const stores = flow.stateStores().filter(({ location }) => mayOverlap(location, record))
    const [store] = stores
    if (stores.length !== 1 || store === undefined) continue
    if (!flow.dominates(store, payment.op) && !flow.isFollowedBy(payment.op, store))
      yield { flow, payment, why: { kind: 'sometimes', record, store } }
  }
}

/** The place whose value this is: read from there, or written there before. */
const recordedIn = (flow: Flow, value: Op): Location | null => {
  if (value.kind === 'load') return value.location.space === 'memory' ? null : value.location
  const place = flow.answer(placesByValue).get(value) ?? null
  // What is left over of a place is not what it keeps.
  const isRest = ({ kind, operator, args }: Op): boolean =>
    kind === 'bin' && operator === '-' && stripCasts(args[1]!).location === place
  return place === null || dependsOn(flow, value, isRest) ? null : place
}

/** Where each value is written first. */
const placesByValue = (flow: Flow): ReadonlyMap<Op, Location> =>
  new Map(
    flow
      .stateStores()
      .map(({ args, location }): [Op, Location] => [stripCasts(args[0]), location])
      .reverse(),
  )

/** All of a record, or the lesser of it and what the caller asks for. */
const recordPaid = (flow: Flow, amount: Op): Location | null => {
  if (amount.kind === 'const') return null
  const alternatives = alternativesOf(amount).map(stripCasts)
  const record = alternatives.find((value) => value.kind === 'load' && value.location.space !== 'memory')
  const isLesser = record !== undefined && alternatives.every((value) => value === record || value.kind === 'param')
  return recordedIn(flow, isLesser ? record : amount)
}

/** Another contract is instructed to move what a record says to the account that the record names: `ledger.move(bids[id].bidder, bids[id].lot)`. */
const findMovesByCallee = (flow: Flow): readonly Leaving[] => {
  const known = new Set(paymentsOf(flow).map(({ op }) => op.start))
  return flow.externalCalls().flatMap((op) => {
    if (op.call.isStatic || known.has(op.start)) return []
    const fields = op.args.map(stripCasts).filter(isRecordField)
    const amounts = fields.filter(({ location }) => location.type?.kind === 'int')
    return amounts
      .filter((amount) => fields.some((other) => isAccount(other) && other.location.parent === amount.location.parent))
      .map((amount) => ({ op, amount }))
  })
}

const isRecordField = (op: Op): op is LoadOp =>
  op.kind === 'load' && op.location.part === 'field' && op.location.space !== 'memory'

const isAccount = ({ location: { type } }: LoadOp): boolean => type?.kind === 'address'

/** `accrued = Accrual(index, accrued.sum + grown); pay(accrued.sum)`: the store before the read carries on the old value. */
const isCarriedInto = (flow: Flow, store: StoreOp, read: Op): boolean =>
  read.kind === 'load' &&
  isBefore(store, read) &&
  !flow.canFollow(read, store) &&
  dependsOn(
    flow,
    store.args[0],
    (part) => part.kind === 'load' && part !== read && mayOverlap(part.location, read.location),
  )

/** All of a record is paid, and nothing lowers it. */
export function* paidAgain(flow: Flow): Iterable<Candidate> {
  for (const payment of [...outgoingOf(flow), ...flow.answer(findMovesByCallee)]) {
    const amount = stripCasts(payment.amount)
    const record = recordPaid(flow, amount)
    if (record === null || record.variable === null || keysOf(record).length === 0) continue
    const isLeft = flow
      .stateStores()
      .every(
        (store) =>
          !mayOverlap(store.location, record) ||
          stripCasts(store.args[0]) === amount ||
          raisedBy(store) !== null ||
          isCarriedInto(flow, store, amount),
      )
    if (isLeft) yield { flow, payment, why: { kind: 'stays', record } }
  }
}

/** `require(allowed[from][msg.sender] >= n); balance[from] -= n`, and what was allowed stays; also where some callers are let off the check. */
export function* allowedAgain(flow: Flow): Iterable<Candidate> {
  const tests = flow.answer(allowanceTests)
  for (const { op, account, amount, isRaised } of entriesOf(flow)) {
    if (isRaised || isSender(account)) continue
    const requested = parametersIn(flow, amount)
    for (const { comparison, record, other } of tests.get(account) ?? [])
      if (flow.canFollow(comparison, op) && [...parametersIn(flow, other)].some((each) => requested.has(each)))
        yield { flow, payment: { op, amount }, why: { kind: 'allowance', record } }
  }
}

interface AllowanceTest {
  readonly comparison: Op
  readonly record: Location
  /** What the allowance is compared with. */
  readonly other: Op
}

/** By the account that allows it: what the sender may take is compared with something. */
const allowanceTests = (flow: Flow): ReadonlyMap<Op, readonly AllowanceTest[]> => {
  const found = new Map<Op, AllowanceTest[]>()
  for (const comparison of flow.ops('bin'))
    for (const [kept, other] of isOrdering(comparison.operator) ? bothOrders(comparison) : []) {
      const keys = kept.kind === 'load' && kept.location.space !== 'memory' ? keysOf(kept.location) : []
      if (!keys.some(isSender)) continue
      const test = { comparison, record: kept.location!, other }
      for (const key of keys) if (!isSender(key)) found.set(key, [...(found.get(key) ?? []), test])
    }
  return found
}

/** `require(shares >= n); pending += n`, and what is pending is paid: the same shares stand behind the next request. */
export function* requestedAgain(flow: Flow): Iterable<Candidate> {
  for (const claim of flow.stateStores()) {
    const column = columnOf(claim.location)
    const amount = raisedBy(claim) ?? stripCasts(claim.args[0])
    if (column === null || amount.kind !== 'param' || keysOf(claim.location).length === 0) continue
    const payment = { op: claim, amount }
    for (const record of limitsOn(flow, payment))
      if (record.variable !== column.variable && isColumnPaidFrom(flow, column))
        yield { flow, payment, why: { kind: 'request', record, claim } }
  }
}

/** What is stored there is not paid by itself, but can be moved to where it is paid from. */
const isMovedToPaid = ({ contractFlow }: Flow, variable: object): boolean =>
  contractFlow.entryPoints.some((mover) => {
    const entries = entriesOf(mover)
    return (
      entries.some(({ op, isRaised }) => !isRaised && op.location.variable === variable) &&
      entries.some(
        ({ op, isRaised }) => isRaised && op.location.variable !== null && isPaidFrom(mover, op.location.variable),
      )
    )
  })

/** `stake += pending`, and what is pending stays: it can be had in both ways. */
export function* creditedAgain(flow: Flow): Iterable<Candidate> {
  for (const { op: claim, amount, isRaised } of entriesOf(flow)) {
    if (!isRaised || amount.kind !== 'load') continue
    const record = amount.location
    const [from, to] = [record.variable, claim.location.variable]
    if (from === null || to === null || from === to || keysOf(record).length === 0) continue
    if (!isPaidFrom(flow, from) || !(isPaidFrom(flow, to) || isMovedToPaid(flow, to))) continue
    if (flow.stateStores().every(({ location }) => !mayOverlap(location, record)))
      yield { flow, payment: { op: claim, amount }, why: { kind: 'credited', record, claim } }
  }
}

/** What is paid, or credited to someone. */
export const takenFrom = (flow: Flow): Leaving[] => [
  ...outgoingOf(flow),
  ...entriesOf(flow).filter(({ isRaised }) => isRaised),
]

/** A proof allows it, and nothing here uses the proof up. */
export function* shownAgain(flow: Flow): Iterable<Candidate> {
  for (const payment of takenFrom(flow)) {
    const proof = proofOf(flow, payment.op, payment.amount)
    if (proof !== undefined) yield { flow, payment, why: { kind: 'proof', proof } }
  }
}

/** The amount rests on the record itself, so only what leads there can note it. */
const stays: ReadonlySet<Why['kind']> = new Set(['stays', 'credited', 'elapsed'])

/** `require(state != Filled); state = Cancelled`: all that is checked of the place holds as well for what is written there. */
export const isIdle = (flow: Flow, store: StoreOp, facts: readonly Fact[]): boolean => {
  const { location, args } = store
  const { kind, constant } = stripCasts(args[0])
  const isMoved = raisedBy(store) !== null || loweredBy(store) !== null
  if (!isMoved && (kind !== 'const' || constant === null)) return false
  const requested = facts.filter(({ condition }) =>
    stateReadsOf(flow, condition).some((read) => mayOverlap(read.location, location)),
  )
  if (requested.length === 0) return false
  return requested.every((fact) =>
    isMoved ? holdsAllTheMore(store, fact) : holdsFor(constant!, fact) || (constant === 0n && isLeast(store, fact)),
  )
}

/** `require(unlockedAt <= block.timestamp); unlockedAt = 0`: no number is less. */
const isLeast = ({ location }: StoreOp, { condition, polarity }: Fact): boolean => {
  const relations = relationsOf(condition, polarity)
  const place = relations.length === 1 ? stripCasts(relations[0]!.smaller) : null
  return place?.kind === 'load' && place.location === location && location.type?.kind === 'int'
}

/** `require(raised < goal); raised -= amount`: it is moved away from where the condition would no longer hold. */
const holdsAllTheMore = (store: StoreOp, { condition, polarity }: Fact): boolean => {
  const relations = relationsOf(condition, polarity)
  const isThere = (op: Op): boolean => op.kind === 'load' && op.location === store.location
  const isRaised = raisedBy(store) !== null
  return (
    relations.length === 1 &&
    relations.every(({ greater, smaller }) => isThere(stripCasts(isRaised ? greater : smaller)))
  )
}

/** What is read is compared with a constant, and this number would do as well. */
const holdsFor = (written: bigint, { condition, polarity }: Fact): boolean => {
  if (condition.kind === 'load') return written === (polarity ? 1n : 0n)
  if (condition.kind !== 'bin' || !isEquality(condition.operator)) return false
  const isEqual = (condition.operator === '==') === polarity
  return bothOrders(condition).some(
    ([read, other]) => read.kind === 'load' && other.kind === 'const' && (other.constant === written) === isEqual,
  )
}

/** A lock that is opened again after the payment notes nothing. */
export const releasedLock = (flow: Flow, payment: Op): Location | null => {
  const place = lockedAt(flow, payment)?.location ?? null
  const isReleased = flow.stateStores().some((store) => store.location === place && flow.isFollowedBy(payment, store))
  return isReleased ? place : null
}

/** Something that allowed it has changed: a condition on the path, or the amount, rests on state that is written here. */
export const isNoted = ({ flow, payment, why }: Candidate): boolean => {
  if (why.kind === 'allowance') return flow.stateStores().some(({ location }) => mayOverlap(location, why.record))
  const facts = guardsAt(flow, payment.op)
  const conditions = facts.map(({ condition }) => condition)
  const lock = releasedLock(flow, payment.op)
  const isBound = (store: StoreOp): boolean =>
    why.kind !== 'proof' || !isUnbound(flow, store, { proof: why.proof, payment: payment.op })
  const notes = flow
    .stateStores()
    .filter((store) => store.location !== lock && !isIdle(flow, store, facts) && isBound(store))
    .filter((store) => why.kind !== 'stays' || !isUpkeep(flow, store, stripCasts(payment.amount)))
  const values = [...conditions, ...('record' in why && stays.has(why.kind) ? keysOf(why.record) : [payment.amount])]
  if (why.kind === 'request' && flow.stateStores().some(({ location }) => mayOverlap(location, why.record))) return true
  return values.some((value) =>
    stateReadsOf(flow, value).some(({ location }) => notes.some((note) => isOfPlace(note.location, location))),
  )
}

/** The record is settled before it is paid, or the store moves a total of the contract, `owed -= due`, that limits the payouts to all accounts together. */
const isUpkeep = (flow: Flow, store: StoreOp, paid: Op): boolean =>
  isCarriedInto(flow, store, paid) ||
  (keysOf(store.location).length === 0 &&
    flow
      .stateStores()
      .some(
        (other) => other.location === store.location && dependsOn(flow, other.args[0], (part) => isPartOff(part, paid)),
      ))

const isPartOff = ({ kind, operator, args }: Op, paid: Op): boolean =>
  kind === 'bin' && operator === '-' && isSameAmount(args[1]!, paid)

/** Written there, or in the same column under another name, or all of the record at once. */
const isOfPlace = (written: Location, read: Location): boolean => {
  const column = columnOf(written)
  return mayOverlap(written, read) || (column !== null && isInColumn(read, column))
}
