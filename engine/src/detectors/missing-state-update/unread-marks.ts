/** Marks that a payout leaves and that no function ever looks at: they stop nobody from calling again. */
import { isCleared } from '../../facts/index.ts'
import { columnOf, isInColumn, keysOf, loweredBy } from '../../idioms/index.ts'
import type { ContractFlow, Flow, LoadOp, Location, StoreOp } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { nodesOf } from '../../syntax/index.ts'

/** `claimed[msg.sender] = true`, `paid[id] += amount`, where nothing but a getter reads the entry. */
export const isUnreadMark = ({ contractFlow }: Flow, store: StoreOp): boolean =>
  store.location.variable !== null &&
  store.location.space === 'state' &&
  (store.location.type?.kind === 'bool' || store.location.type?.kind === 'int') &&
  keysOf(store.location).length > 0 &&
  !isCleared(store) &&
  loweredBy(store) === null &&
  contractFlow.answerAt(store.location, isNeverRead)

const isNeverRead = (contractFlow: ContractFlow, place: Location): boolean => {
  const { variable } = place
  const column = columnOf(place)
  if (variable === null || column === null || contractFlow.contract?.isMostDerived !== true) return false
  const isOfColumn = ({ location }: LoadOp): boolean => {
    const read = columnOf(location)
    return read?.variable === variable && (read.path.startsWith(column.path) || column.path.startsWith(read.path))
  }
  // What is done with a copy of the whole record is not followed.
  const isUnused = (flow: Flow, load: LoadOp): boolean => isInColumn(load.location, column) && isShownOnly(flow, load)
  return (
    contractFlow.flows.every(
      (flow) => !flow.isPartial && flow.stateLoads().every((load) => !isOfColumn(load) || isUnused(flow, load)),
    ) && !isNamedElsewhere(contractFlow, variable)
  )
}

/** Returned, or raised in its own place. */
const isShownOnly = (flow: Flow, load: LoadOp): boolean => {
  if (flow.isCondition(load) || flow.isIndex(load)) return false
  return flow.usersOf(load).every((user) => {
    if (user.kind === 'return') return true
    const isKept = flow.usersOf(user).every((next) => next.kind === 'store' && next.location === load.location)
    return user.kind === 'bin' && user.operator === '+' && !flow.isCondition(user) && isKept
  })
}

/** `distributor.claimed(account)`: another contract may ask, and what it answers may decide here. */
const isNamedElsewhere = ({ model }: ContractFlow, { name }: VariableModel): boolean =>
  model.files.some(({ unit }) => nodesOf(unit, 'Member').some((access) => access.name.name === name))
