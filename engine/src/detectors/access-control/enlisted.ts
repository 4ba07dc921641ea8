/** Lists that the deployer began, and that say who may do something: anyone can put an account on them. */
import { guardsAt, isSender, senderGuardsAt, stateReadsOf } from '../../facts/index.ts'
import { type Column, columnOf, isInColumn, keysOf, nameOfColumn, outgoingOf } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, mayOverlap, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'

/** `member[who] = true`, also where the caller says whether. */
const isEnlisting = (flow: Flow, { location, args }: StoreOp): boolean => {
  const value = stripCasts(args[0])
  if (keysOf(location).length !== 1) return false
  if (value.kind === 'const') return value.constant !== 0n
  return value.kind === 'param' && flow.typeOf(value)?.kind === 'bool'
}

/** Somebody is on the list from the beginning: whoever could join by themselves need not be appointed. */
const begunLists = ({ flows }: ContractFlow): readonly Column[] =>
  flows
    .filter(({ isConstructor }) => isConstructor)
    .flatMap((flow) =>
      flow.stateStores().flatMap((store) => (isEnlisting(flow, store) ? (columnOf(store.location) ?? []) : [])),
    )

/** What only members can do: what they are asked for before something is paid or written. */
const membersOnly = (contractFlow: ContractFlow): readonly Column[] => {
  const lists = contractFlow.answer(begunLists)
  if (lists.length === 0) return []
  const asked = contractFlow.entryPoints.flatMap((flow) =>
    [...outgoingOf(flow).map(({ op }): Op => op), ...flow.stateStores()].flatMap((op) =>
      senderGuardsAt(flow, op).flatMap(({ against, places }) => (against === 'keyed' ? places : [])),
    ),
  )
  return lists.filter((list) => asked.some((place) => isInColumn(place, list)))
}

/** Nothing is asked but whether the account is on the list already. */
const asksNothingElse = (flow: Flow, op: StoreOp): boolean =>
  guardsAt(flow, op).every(({ condition }) =>
    stateReadsOf(flow, condition).every((read) => mayOverlap(read.location, op.location)),
  )

export interface Enlisted {
  readonly op: StoreOp
  readonly list: string
}

export function* enlisted(flow: Flow): Iterable<Enlisted> {
  for (const op of flow.stateStores()) {
    if (!isEnlisting(flow, op)) continue
    const [who] = keysOf(op.location)
    if (!isSender(who!) && who!.kind !== 'param') continue
    const list = flow.contractFlow.answer(membersOnly).find((column) => isInColumn(op.location, column))
    if (list !== undefined && asksNothingElse(flow, op)) yield { op, list: nameOfColumn(list) }
  }
}
