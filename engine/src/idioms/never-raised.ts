import { isCleared } from '../facts/index.ts'
import { type ContractFlow, isZero, type Location, type Op, stripCasts } from '../ir/index.ts'
import { loweredBy } from './entries.ts'

/** Every function that writes the place clears or lowers it. */
export const isNeverRaised = (contractFlow: ContractFlow, place: Location): boolean =>
  place.variable !== null && contractFlow.answerAt(place, isLeftAtNothing)

const isLeftAtNothing = (contractFlow: ContractFlow, place: Location): boolean =>
  contractFlow.writersTo(place).every(({ op }) => {
    if (isCleared(op) || (op.location.depth === place.depth && loweredBy(op) !== null)) return true
    const value = partOf(stripCasts(op.args[0]), op.location, place)
    return value !== null && isZero(value)
  })

/** The value that a store of a place, or of the struct around it, leaves in the place. */
const partOf = (value: Op, stored: Location, place: Location): Op | null => {
  if (stored.depth === place.depth) return value
  const fields = stored.type?.kind === 'struct' ? stored.type.struct.fields : []
  const index = fields.findIndex(({ name }) => name === place.name)
  return value.kind === 'make' && value.args[index] !== undefined ? stripCasts(value.args[index]) : null
}
