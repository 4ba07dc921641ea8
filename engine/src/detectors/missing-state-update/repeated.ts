/**
 * Payouts of a record after which nothing that they rest on has changed: no condition on the path, no amount and no key reads state that the
 * call writes, and nothing is given up for it. The same call then succeeds again with the same effect.
 */
import {
  dependsOn,
  everyPart,
  guardsAt,
  isCleared,
  isProtected,
  parametersIn,
  recoversSigner,
  stateReadsOf,
} from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  entriesOf,
  incomingOf,
  isColumnPaidFrom,
  isForCaller,
  isInColumn,
  isOwnEther,
  isOwnTokenBalance,
  keysOf,
  loweredBy,
  numberMovesOf,
  outgoingOf,
  raisedBy,
  requiredUnset,
  tokenCallOf,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type Flow,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { type Candidate, isIdle, type Leaving, releasedLock } from './unnoted.ts'
import { isUnreadMark } from './unread-marks.ts'

/** Ether and tokens that nothing is bought with. An NFT leaves only once. */
const paymentsOf = (flow: Flow): readonly Leaving[] =>
  outgoingOf(flow).filter(({ op, asset }) =>
    asset === 'ether' ? op.call.kind !== 'external' : op.call.name !== 'transferFrom',
  )

/** Another contract is made to pay or to mint: `coin.mint(to, amount)`, `vault.exit(to, boxes[id].amount)`. */
const instructionsOf = (flow: Flow): readonly Leaving[] =>
  flow.externalCalls().flatMap((op) => {
    const { kind, name, isStatic } = op.call
    if (kind !== 'external' || isStatic || op.args.length !== 2 || tokenCallOf(op) !== null) return []
    const amount = op.args[1]!
    // A message that another contract is sent is no amount.
    if (flow.typeOf(amount)?.kind === 'bytes') return []
    // What is minted up to a total is in the total the next time.
    if (name === 'mint' && dependsOn(flow, amount, isSupply)) return []
    return name === 'mint' || dependsOn(flow, amount, isEntry) ? [{ op, amount }] : []
  })

const isSupply = ({ kind, call }: Op): boolean => kind === 'call' && call?.name === 'totalSupply'

const isEntry = (part: Op): part is LoadOp => isStored(part) && keysOf(part.location).length > 0

/** Entries that are paid out later, or that a mark which must be unset lets rise once. */
const creditsOf = (flow: Flow): readonly Leaving[] =>
  entriesOf(flow).filter(({ op, amount, isRaised }) => {
    const column = columnOf(op.location)
    if (!isRaised || column === null) return false
    return isColumnPaidFrom(flow, column) || (amount.kind !== 'const' && marksAt(flow, op).length > 0)
  })

/** Entries that must be unset on the path to an operation. */
const marksAt = (flow: Flow, op: Op): readonly LoadOp[] =>
  guardsAt(flow, op)
    .flatMap(({ condition, polarity }) => requiredUnset(condition, polarity) ?? [])
    .filter(isEntry)

/** `active -= policies[id].amount`, `open -= 1`: a total loses what a record added to it when it was made, and the record is checked first. */
const totalsOf = (flow: Flow): readonly Leaving[] =>
  numberMovesOf(flow).flatMap(({ op, column, amount, isRaised }) => {
    if (isRaised || keysOf(op.location).length > 0 || parametersIn(flow, amount).size > 0) return []
    const checked = guardsAt(flow, op).flatMap(({ condition }) => stateReadsOf(flow, condition).filter(isEntry))
    const isCounted = checked.some(({ location }) => isMadeWith(flow, location, column))
    return isCounted && (amount.kind === 'const' || dependsOn(flow, amount, isEntry))
      ? [{ op, amount, act: 'total' }]
      : []
  })

/** Elsewhere the total rises where such a record is written. */
const isMadeWith = ({ contractFlow }: Flow, record: Location, total: Column): boolean =>
  contractFlow.entryPoints.some(
    (maker) =>
      numberMovesOf(maker).some(({ op, isRaised }) => isRaised && isInColumn(op.location, total)) &&
      maker.stateStores().some(({ location }) => location.variable === record.variable),
  )

/** What waits in a record is applied to a setting that other functions change too: `root = pending.root`. */
const appliedIn = (flow: Flow): readonly Leaving[] =>
  flow.stateStores().flatMap((op) => {
    const { location } = op
    const [record] = stateReadsOf(flow, op.args[0])
    const amount = stripCasts(op.args[0])
    if (record === undefined || amount.kind !== 'load' || keysOf(location).length > 0) return []
    const isOfRecord = ({ kind, location: place }: Op): boolean =>
      kind === 'load' && place.part !== 'length' && place.variable === record.location.variable
    const isNamed = keysOf(record.location).every(isParameter)
    if (!isNamed || record.location.variable === location.variable) return []
    const isChecked = guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isOfRecord))
    const isReset = flow.contractFlow
      .writersTo(location)
      .some(({ flow: writer, op: other }) => !writer.isConstructor && !dependsOn(writer, other.args[0], isOfRecord))
    return isChecked && isReset ? [{ op, amount, act: 'applied' }] : []
  })

export function* repeatedPayouts(flow: Flow): Iterable<Candidate> {
  // What is declared to read moves nothing.
  if (flow.fn?.mutability === 'view' || flow.fn?.mutability === 'pure') return
  if (flow.isPartial || takesIn(flow) || recoversSigner(flow) || flow.ops('call').some(isUnread)) return
  const payouts = [
    ...paymentsOf(flow),
    ...instructionsOf(flow),
    ...creditsOf(flow),
    ...totalsOf(flow),
    ...appliedIn(flow),
  ]
  const places = new Set(payouts.map(({ op }) => op))
  const isOther = (call: CallOp): boolean => !call.call.isStatic && ![...places].some((op) => isPartOf(call, op))
  if (flow.externalCalls().some(isOther)) return
  for (const payment of payouts) {
    if (isProtected(flow, payment.op)) continue
    // Who marks a payout pays it once, whatever another contract answers.
    const mark = flow.stateStores().find((store) => store !== payment.op && isUnreadMark(flow, store))?.location ?? null
    const record =
      payment.act === 'applied'
        ? stateReadsOf(flow, payment.amount)[0]!.location
        : (recordOf(flow, payment) ?? shareOf(flow, payment))
    if (record === null && parametersIn(flow, payment.amount).size > 0) continue
    const reads = (record ?? mark) ? readsBehind(flow, payment, mark !== null) : null
    if (reads === null) continue
    const checked = [...reads, ...readsBefore(flow, payment)]
    if (!flow.stateStores().some((store) => isConsumed(flow, payment, store, checked)))
      yield { flow, payment, why: { kind: 'repeated', record: (record ?? mark)!, mark } }
  }
}

/** A part of the pot for a stored account, computed from state alone: others are paid from the rest. */
const shareOf = (flow: Flow, { op, amount, act }: Leaving): Location | null => {
  if (act !== undefined || op.kind !== 'call' || !isStoredPayee(flow, op) || parametersIn(flow, amount).size > 0)
    return null
  if (dependsOn(flow, amount, (part) => isOwnEther(part) || isOwnTokenBalance(part))) return null
  if (!flow.contractFlow.entryPoints.some((other) => other !== flow && outgoingOf(other).some(isForCaller))) return null
  return (
    stateReadsOf(flow, amount).find(({ location: { variable } }) => variable?.isConstant === false)?.location ?? null
  )
}

const isStoredPayee = (flow: Flow, op: CallOp): boolean => {
  const to = outgoingOf(flow).find((payment) => payment.op === op)?.to ?? null
  return to !== null && isStored(stripCasts(to)) && parametersIn(flow, to).size === 0
}

/** The caller gives something for it: tokens, or ether that is counted. */
const takesIn = (flow: Flow): boolean =>
  incomingOf(flow).length > 0 || (flow.isPayable && flow.usesEnvironment('msg.value'))

/** The payout itself, or what its wrapper does for it. */
const isPartOf = (op: Op, payout: Op): boolean => {
  if (op.start === payout.start) return true
  for (let { site } = op; site !== null; site = site.parent) if (site.call === payout) return true
  return false
}

/** A function in a missing file may record the payout. */
const isUnread = ({ call }: CallOp): boolean => !call.inlined && (call.kind === 'internal' || call.kind === 'pointer')

const isParameter = ({ kind }: Op): boolean => kind === 'param'

/** What the payout is made for: a record that says or limits how much, that the caller names, or that must be unset. */
const recordOf = (flow: Flow, { op, amount }: Leaving): Location | null => {
  const isNamed = (part: Op): boolean =>
    isEntry(part) && keysOf(part.location).some((key) => dependsOn(flow, key, isParameter))
  const found: LoadOp[] = []
  const note = (isMeant: (part: Op) => boolean) => (part: Op) => {
    if (isMeant(part)) found.push(part as LoadOp)
    return false
  }
  dependsOn(flow, amount, note(isEntry))
  const requested = parametersIn(flow, amount)
  for (const { condition } of guardsAt(flow, op)) {
    const isLimit = dependsOn(flow, condition, (part) => requested.has(part))
    dependsOn(flow, condition, note(isLimit ? isEntry : isNamed))
  }
  return [...found, ...marksAt(flow, op)][0]?.location ?? null
}

const isStored = (op: Op): op is LoadOp =>
  op.kind === 'load' && op.location.space !== 'memory' && op.location.variable !== null

/** State that decides whether, to whom and how much is paid; null where another contract has a say in it that the payout may change. */
const readsBehind = (flow: Flow, { op, amount }: Leaving, isMarked: boolean): readonly LoadOp[] | null => {
  const later = flow.ops('assume').filter((check) => flow.isFollowedBy(op, check))
  const conditions = [...guardsAt(flow, op).map(({ condition }) => condition), ...later.map(({ args }) => args[0])]
  const reads: LoadOp[] = []
  const isForeign = (part: Op): boolean => {
    if (part.kind === 'load' && part.location.space !== 'memory') reads.push(part)
    if (isMarked && (isOwnEther(part) || isOwnTokenBalance(part))) return true
    if (part.kind === 'call') return !isMarked && isAnswer(flow, part)
    return part.kind === 'opaque' || part.kind === 'unknown'
  }
  const isOutcome = (condition: Op): boolean => dependsOn(flow, condition, (part) => isPartOf(part, op))
  const given = op.kind === 'store' ? keysOf(op.location) : op.kind === 'call' ? [...op.args, op.call.target] : []
  const values = [amount, ...given, ...conditions.filter((condition) => !isOutcome(condition))]
  const isUnknown = values.some((value) => value !== null && dependsOn(flow, value, isForeign, { keys: true }))
  return isUnknown ? null : reads
}

/** `require(!requests[id].paid); sum += requests[id].amount`: a condition before the payout on each part of the amount. */
const readsBefore = (flow: Flow, { op, amount }: Leaving): readonly LoadOp[] => {
  const earlier = flow.ops('assume').filter((check) => flow.canFollow(check, op))
  const guards = everyPart(flow, amount).flatMap((part) => guardsAt(flow, part))
  const conditions = new Set([...earlier.map(({ args }) => args[0]), ...guards.map(({ condition }) => condition)])
  return [...conditions].flatMap((condition) => stateReadsOf(flow, condition))
}

/** `oracle.price(token)` is the same before and after; what is answered about an account or an id of the caller's may not be. */
const isAnswer = (flow: Flow, { call, args }: CallOp): boolean =>
  !call.inlined && (!call.isStatic || args.some((arg) => dependsOn(flow, arg, isOfCall)))

const isOfCall = ({ kind, operator }: Op): boolean =>
  kind === 'param' || (kind === 'env' && (operator === 'msg.sender' || operator === 'this'))

const isConsumed = (flow: Flow, { op, act, amount }: Leaving, store: StoreOp, reads: readonly LoadOp[]): boolean => {
  // A total says how often at most, and not whether.
  if ((act === 'total' && store === op) || isUnreadMark(flow, store)) return false
  if (act !== undefined && stateReadsOf(flow, amount).some(({ location }) => mayOverlap(location, store.location)))
    return true
  if (releasedLock(flow, op) === store.location) return false
  const isKeyed = store !== op && keysOf(store.location).length > 0
  if (isKeyed && (loweredBy(store) !== null || raisedBy(store) !== null)) return true
  if (store !== op && isIdle(flow, store, guardsAt(flow, op))) return false
  if (isKeyed && isCleared(store)) return true
  const column = columnOf(store.location)
  return reads.some(
    ({ location }) => mayOverlap(location, store.location) || (column !== null && isInColumn(location, column)),
  )
}
