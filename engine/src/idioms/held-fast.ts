/** What counts for something while it is held, and can not be moved meanwhile. */
import { guardsAt, stateReadsOf } from '../facts/index.ts'
import { type Flow, type StoreOp, stripCasts } from '../ir/index.ts'
import { columnOf, isInColumn } from './columns.ts'
import { keysOf } from './entries.ts'

/** Before the entry of a holder is lowered, what `counting` writes under the holder's name is asked. */
export const isHeldFast = (flow: Flow, lowered: StoreOp, counting: Flow): boolean => {
  const [holder] = keysOf(lowered.location)
  const notes = counting
    .stateStores()
    .flatMap(({ location }) => (keysOf(location).length === 0 ? [] : (columnOf(location) ?? [])))
  return guardsAt(flow, lowered).some(({ condition }) =>
    stateReadsOf(flow, condition).some(
      ({ location }) =>
        location.variable !== lowered.location.variable &&
        notes.some((note) => isInColumn(location, note)) &&
        keysOf(location).some((key) => holder !== undefined && stripCasts(key) === holder),
    ),
  )
}
