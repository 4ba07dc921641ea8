/** Lists that the deployer began, and that say who may do something: anyone can put an account on them. */
import { dependsOn, guardsAt, isKeyedBySender, isSender, senderGuardsAt, stateReadsOf } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  hasIncomingPayment,
  isInColumn,
  keysOf,
  loweredBy,
  nameOfColumn,
  outgoingOf,
  type Payment,
  raisedBy,
  type UnprotectedOp,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'

/** `member[who] = true`, also where the caller says whether. */
const isEnlisting = (flow: Flow, { location, args }: StoreOp): boolean => {
  const value = stripCasts(args[0])
  if (keysOf(location).length !== 1) return false
  if (value.kind === 'const') return value.constant !== 0n
  return value.kind === 'param' && flow.typeOf(value)?.kind === 'bool'
}

/** Someone is on the list from the beginning: anyone who could join by themselves need not be appointed. */
const begunLists = ({ flows }: ContractFlow): readonly Column[] =>
  flows
    .filter(({ isConstructor }) => isConstructor)
    .flatMap((flow) =>
      flow.stateStores().flatMap((store) => (isEnlisting(flow, store) ? (columnOf(store.location) ?? []) : [])),
    )

/** What belongs to all, or to anyone whom the caller names; what a member adds at the end of a list or to a count takes nothing from anyone. */
const isOfOthers = (store: StoreOp): boolean => {
  const { location } = store
  if (location.part === 'length') return false
  const keys = keysOf(location)
  if (keys.length > 0) return keys.some(({ kind }) => kind === 'param') && !isKeyedBySender(location)
  return raisedBy(store) === null && loweredBy(store) === null
}

/** More than what the caller has in their own name, or brings along. */
const isBeyondOwn = (flow: Flow, { amount }: Payment): boolean => {
  const isOwn = (value: Op): boolean => value.kind === 'load' && isKeyedBySender(value.location)
  if (hasIncomingPayment(flow) || dependsOn(flow, amount, isOwn)) return false
  return !flow.stateStores().some((store) => {
    const by = isKeyedBySender(store.location) ? loweredBy(store) : null
    return by !== null && sameValue(by, stripCasts(amount))
  })
}

const rightsIn = (flow: Flow): readonly Op[] => [
  ...outgoingOf(flow).flatMap((payment) => (isBeyondOwn(flow, payment) ? [payment.op] : [])),
  ...flow.stateStores().filter(isOfOthers),
]

/** What only members can do to others: what is checked of them before something is paid or written. */
const membersOnly = (contractFlow: ContractFlow): readonly Column[] => {
  const lists = contractFlow.answer(begunLists)
  if (lists.length === 0) return []
  const checkedReads = contractFlow.entryPoints.flatMap((flow) =>
    rightsIn(flow).flatMap((op) =>
      senderGuardsAt(flow, op).flatMap(({ against, places }) => (against === 'keyed' ? places : [])),
    ),
  )
  return lists.filter((list) => checkedReads.some((place) => isInColumn(place, list)))
}

/** Nothing is checked but whether the account is on the list already. */
const hasNoOtherCheck = (flow: Flow, op: StoreOp): boolean =>
  guardsAt(flow, op).every(({ condition }) =>
    stateReadsOf(flow, condition).every((read) => mayOverlap(read.location, op.location)),
  )

/** Who may do what is decided by a list, and the caller says who comes onto it. */
export function* enlistedByAnyone(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    if (!isEnlisting(flow, op)) continue
    const [who] = keysOf(op.location)
    if (!isSender(who!) && who!.kind !== 'param') continue
    const list = flow.contractFlow.answer(membersOnly).find((column) => isInColumn(op.location, column))
    if (list === undefined || !hasNoOtherCheck(flow, op)) continue
    const name = `\`${nameOfColumn(list)}\``
    const message = `Anyone can call \`${flow.name}()\` and add their own account to ${name}, whose members have privileged rights.`
    yield { flow, op, account: null, amount: null, message, gain: `becomes a member of ${name}`, isMembership: true }
  }
}
