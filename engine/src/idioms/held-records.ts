/** Records under an id, such as positions and locks, which functions change for an account only if it holds the id. */
import { dependsOn, type Fact, guardsAt, isCallersNumber, isSender, senderGuardsAt } from '../facts/index.ts'
import { type ContractFlow, type Flow, isOrdering, type Location, type Op } from '../ir/index.ts'
import { byVariable, flowsAt, type PlacesOfFlows } from './allowances.ts'
import { keysOf } from './entries.ts'
import { isHash } from './hashes.ts'
import { requiredUnset } from './marks.ts'

const idKinds: ReadonlySet<string | undefined> = new Set(['int', 'fixedBytes'])

/** Ids that the caller names; an account is none. Nothing else decides which record it is. */
const idsOf = (flow: Flow, place: Location): readonly Op[] => {
  const keys = keysOf(place)
  return keys.every((key) => isCallersNumber(flow, key))
    ? keys.filter((key) => idKinds.has(flow.typeOf(key)?.kind))
    : []
}

/** Functions that write the record after a check that relates the caller to its id, if this one writes it under an id too. */
export const holdersOfRecord = (flow: Flow, place: Location): readonly Flow[] =>
  idsOf(flow, place).length === 0
    ? []
    : flow.contractFlow.answerAt(place, holdersAt).filter((holder) => holder !== flow)

const holdersAt = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  flowsAt(contractFlow.answer(writtenByHolder), place)

const writtenByHolder = ({ entryPoints }: ContractFlow): PlacesOfFlows =>
  byVariable(
    entryPoints.flatMap((flow) =>
      flow
        .stateStores()
        .filter(({ location }) => location.variable !== null && location.depth > 0)
        .filter((op) => isForHolder(flow, op, idsOf(flow, op.location)))
        .map(({ location }) => ({ flow, place: location })),
    ),
  )

/** `require(ownerOf[id] == msg.sender)`, `require(nft.isApprovedOrOwner(msg.sender, id))` */
const isForHolder = (flow: Flow, at: Op, ids: readonly Op[]): boolean =>
  ids.length > 0 &&
  senderGuardsAt(flow, at).some(
    ({ op, places }) =>
      // How much the caller has under the id says nothing of the record.
      !places.some(({ type }) => type?.kind === 'int') &&
      dependsOn(flow, op, (part) => ids.includes(part), { keys: true }),
  )

/**
 * What is checked on the path may be a right: another contract answers, or the caller has to know what a hash was made of. What is on
 * record elsewhere is a right where it is about the caller; a switch, a date, or a bound on what the caller says is the same for everybody.
 */
export const mayRequireRight = (flow: Flow, op: Op): boolean =>
  guardsAt(flow, op).some(
    (fact) =>
      isVacancy(fact) ||
      dependsOn(flow, fact.condition, isSender, { keys: true }) ||
      (!isBound(flow, fact.condition) && dependsOn(flow, fact.condition, isAnswer(flow))),
  )

/** `require(holderOf[id] == address(0))`: nobody holds it yet. */
const isVacancy = ({ condition, polarity }: Fact): boolean =>
  requiredUnset(condition, polarity)?.location.type?.kind === 'address'

const isAnswer =
  (flow: Flow) =>
  (part: Op): boolean =>
    part.kind === 'call' ||
    part.kind === 'unknown' ||
    (isHash(part) && dependsOn(flow, part, ({ kind }) => kind === 'param'))

/** `require(n <= pool.most(id))` */
const isBound = (flow: Flow, { kind, operator, args }: Op): boolean =>
  kind === 'bin' && isOrdering(operator) && args.some((side) => isCallersNumber(flow, side))
