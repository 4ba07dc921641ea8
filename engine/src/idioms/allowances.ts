/** Places by the functions that use them, and allowances: what one account lets another take from it. */
import { isSender } from '../facts/index.ts'
import { type ContractFlow, type Flow, groupBy, type Location, mayOverlapAcross } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { keysOf, loweredBy } from './entries.ts'
import { entriesOf } from './ledger.ts'

/** Elsewhere the caller takes from an account, and what stands here under both of them becomes less. */
export const isAllowance = (flow: Flow, place: Location): boolean =>
  flow.contractFlow.answerAt(place, takersBy).some((taker) => taker !== flow)

const takersBy = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  flowsAt(contractFlow.answer(allowances), place)

export interface PlaceOfFlow {
  readonly flow: Flow
  readonly place: Location
}

/** By the variable. */
export type PlacesOfFlows = ReadonlyMap<VariableModel | null, readonly PlaceOfFlow[]>

/** Places of functions, by the variable that they are in. */
export const byVariable = (all: readonly PlaceOfFlow[]): PlacesOfFlows => groupBy(all, ({ place }) => place.variable)

/** Functions whose place may be this one. */
export const flowsAt = (places: PlacesOfFlows, place: Location): readonly Flow[] => [
  ...new Set(
    (places.get(place.variable) ?? []).flatMap((one) => (mayOverlapAcross(one.place, place) ? [one.flow] : [])),
  ),
]

const allowances = ({ entryPoints }: ContractFlow): PlacesOfFlows =>
  byVariable(
    entryPoints.flatMap((flow) => {
      const taken = entriesOf(flow).flatMap(({ isRaised, account }) => (isRaised ? [] : [account]))
      if (taken.length === 0) return []
      return flow.stateStores().flatMap((store) => {
        const keys = keysOf(store.location)
        const isOfBoth = keys.some(isSender) && keys.some((key) => !isSender(key) && taken.includes(key))
        return isOfBoth && loweredBy(store) !== null ? [{ flow, place: store.location }] : []
      })
    }),
  )
