/** What an account holds counts for another one too, and has to follow what is held: votes of a delegate, weights of a pool. */
import { type Column, columnOf, entriesOf, isInColumn, keysOf } from '../../idioms/index.ts'
import type { ContractFlow, Flow, Op } from '../../ir/index.ts'

/** `votes[to] += held[msg.sender]`, where what is held stays with its holder. */
export interface Weight {
  readonly counted: Column
  readonly held: Column
  readonly flow: Flow
  readonly at: Op
}

const isAccount = (flow: Flow, key: Op): boolean => flow.typeOf(key)?.kind === 'address'

const weightsIn = (flow: Flow): readonly Weight[] =>
  entriesOf(flow).flatMap(({ op, account, amount, isRaised }) => {
    if (!isRaised || amount.kind !== 'load' || !isAccount(flow, account)) return []
    const [counted, held] = [columnOf(op.location), columnOf(amount.location)]
    if (counted === null || held === null || isInColumn(op.location, held)) return []
    const [holder] = keysOf(amount.location)
    if (holder === undefined || !isAccount(flow, holder)) return []
    const isKept = flow.stateStores().every(({ location }) => !isInColumn(location, held))
    return isKept ? [{ counted, held, flow, at: op }] : []
  })

/** Counted again where it is taken back: a sum that follows the holders, and no number of events. */
const isTakenBack = ({ entryPoints }: ContractFlow, { counted, held }: Weight): boolean =>
  entryPoints.some((flow) =>
    entriesOf(flow).some(
      ({ op, amount, isRaised }) =>
        !isRaised &&
        isInColumn(op.location, counted) &&
        amount.kind === 'load' &&
        amount.location.space !== 'memory' &&
        isInColumn(amount.location, held),
    ),
  )

export const weightsOf = (contractFlow: ContractFlow): readonly Weight[] =>
  contractFlow.entryPoints.flatMap(weightsIn).filter((weight) => isTakenBack(contractFlow, weight))
