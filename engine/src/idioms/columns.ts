/** What a contract keeps of one kind under many keys: the values of a mapping, or one field of a mapping of structs. */
import { fieldPath, type Location } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'

/** A variable, or one field of what it holds. */
export interface Column {
  readonly variable: VariableModel
  readonly path: string
}

/** The column that a place belongs to; null for a place that no variable names. */
export const columnOf = (place: Location): Column | null =>
  place.variable === null ? null : { variable: place.variable, path: fieldPath(place) }

/** The place belongs to the column. */
export const isInColumn = (place: Location, { variable, path }: Column): boolean =>
  place.variable === variable && fieldPath(place) === path

/** As a reader calls it: `debt`, `accounts.debt`; the field alone of a struct at a slot of its own, which has no name. */
export const nameOfColumn = ({ variable, path }: Column): string =>
  variable.contract === null && path !== '' ? path.replace(/^\./, '') : `${variable.name}${path}`

/** To look a column up by. */
export const keyOfColumn = ({ variable, path }: Column): string => `${variable.span.start}${path}`
