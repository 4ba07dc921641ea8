/** What may lie in a field of a struct in memory: trust, ranges and attainable numbers go through it. */
import { budget, type Flow, type Location, type Op, type StoreOp, stripCasts } from '../ir/index.ts'

/** Where a value in memory comes from: values of this flow, or a field of a struct that was copied from storage. */
export interface MemoryContent {
  readonly values: readonly Op[]
  readonly copies: readonly Location[]
}

const maxDepth = budget.depth.memoryCopies

/** What may lie in a place in memory; null when someone unseen may have put something else there. */
export const contentOf = (flow: Flow, place: Location): MemoryContent | null => {
  if (place.space !== 'memory' || place.part !== 'field') return null
  const values: Op[] = []
  const copies: Location[] = []
  return collect(flow, place, values, copies, 0) ? { values, copies } : null
}

const collect = (flow: Flow, place: Location, values: Op[], copies: Location[], depth: number): boolean => {
  if (place.parent === null || place.part !== 'field' || depth > maxDepth) return false
  const bases = objectsAt(flow, place.parent, depth)
  return bases?.every((base) => collectFrom(flow, base, place, values, copies, depth)) ?? false
}

/** The struct objects that a place in memory may be. */
const objectsAt = (flow: Flow, place: Location, depth: number): Op[] | null => {
  if (place.parent === null) return place.base === null ? null : objectsOf(place.base, 0)
  const values: Op[] = []
  const copies: Location[] = []
  if (!collect(flow, place, values, copies, depth + 1) || copies.length > 0) return null
  const objects = values.map((value) => objectsOf(value, 0))
  return objects.includes(null) ? null : (objects as Op[][]).flat()
}

const objectsOf = (value: Op, depth: number): Op[] | null => {
  const op = stripCasts(value)
  if (op.kind === 'make' || (op.kind === 'load' && op.location.space === 'state')) return [op]
  if (op.kind !== 'phi' || depth > budget.depth.memoryObjects) return null
  const parts = op.args.filter((arg) => arg !== op).map((arg) => objectsOf(arg, depth + 1))
  return parts.includes(null) ? null : (parts as Op[][]).flat()
}

const collectFrom = (
  flow: Flow,
  base: Op,
  place: Location,
  values: Op[],
  copies: Location[],
  depth: number,
): boolean => {
  if (isPassedOut(flow, base)) return false
  for (const store of flow.memoryStores())
    if (isFieldOf(flow, store.location, base, place.name, depth)) values.push(store.args[0])
  if (base.kind === 'load') {
    copies.push(fieldOf(base.location, place))
    return true
  }
  if (base.args.length === 0) return base.operator === 'zero' || values.length > 0
  const type = flow.typeOf(base)
  if (type?.kind !== 'struct' || base.args.length !== type.struct.fields.length) return false
  const field = type.struct.fields.findIndex(({ name }) => name === place.name)
  if (field < 0) return false
  values.push(base.args[field]!)
  return true
}

/** A function that was not followed may have changed it. */
const isPassedOut = (flow: Flow, base: Op): boolean =>
  flow
    .usersOf(base)
    .some(({ kind, call }) => kind === 'call' && !call.inlined && (call.kind === 'internal' || call.kind === 'library'))

const isFieldOf = (flow: Flow, written: Location, base: Op, name: string, depth: number): boolean => {
  if (written.part !== 'field' || written.name !== name || written.parent === null) return false
  return objectsAt(flow, written.parent, depth + 1)?.includes(base) ?? false
}

/** The same field of the struct in storage that was copied. */
const fieldOf = (source: Location, field: Location): Location => ({
  ...field,
  ...rootOf(source),
  parent: source,
  depth: source.depth + 1,
})

const rootOf = ({ space, variable, base }: Location): Pick<Location, 'space' | 'variable' | 'base'> => ({
  space,
  variable,
  base,
})

/** What a store puts into a place that it writes, also as part of a struct that was put together in memory; null when that is not seen. */
export const valuesFor = (flow: Flow, store: StoreOp, place: Location): readonly Op[] | null => {
  const value = stripCasts(store.args[0])
  if (place.depth === store.location.depth) return value.kind === 'make' ? null : [value]
  if (place.depth < store.location.depth || value.kind !== 'make' || isPassedOut(flow, value)) return null
  const path = partsBetween(store.location, place)
  const values: Op[] = []
  for (const write of flow.memoryStores())
    if (isPartOf(write.location, value, path)) values.push(write.args[0])
    else if (isAbove(write.location, value, path)) return null
  if (value.operator === 'zero' && value.args.length === 0) return values
  const type = store.location.type
  if (type?.kind !== 'struct' || path.length !== 1 || value.args.length !== type.struct.fields.length) return null
  const given = value.args[type.struct.fields.findIndex(({ name }) => name === place.name)]
  return given === undefined ? null : [given, ...values]
}

/** The way from a place down to a part of it: names of fields; elements of a list are all one. */
const partsBetween = (whole: Location, part: Location): readonly string[] => {
  const parts: string[] = []
  for (let at: Location | null = part; at !== null && at.depth > whole.depth; at = at.parent)
    parts.unshift(at.part === 'field' ? at.name : '')
  return parts
}

const pathIn = (written: Location, object: Op): readonly string[] | null => {
  const parts: string[] = []
  let at = written
  for (; at.parent !== null; at = at.parent) parts.unshift(at.part === 'field' ? at.name : '')
  return at.base !== null && stripCasts(at.base) === object ? parts : null
}

const isPartOf = (written: Location, object: Op, path: readonly string[]): boolean => {
  const parts = pathIn(written, object)
  return parts !== null && parts.length === path.length && parts.every((part, i) => part === path[i])
}

/** The list or struct that holds the part is replaced as a whole. */
const isAbove = (written: Location, object: Op, path: readonly string[]): boolean => {
  const parts = pathIn(written, object)
  return parts !== null && parts.length < path.length && parts.every((part, i) => part === path[i])
}

/** What a store of a struct puts into the field that is queried. */
export const partFor = (place: Location, store: StoreOp): Op => {
  const value = stripCasts(store.args[0])
  const type = store.location.type
  if (value.kind !== 'make' || type?.kind !== 'struct' || place.part !== 'field') return value
  const { fields } = type.struct
  if (place.depth !== store.location.depth + 1 || value.args.length !== fields.length) return value
  return value.args[fields.findIndex(({ name }) => name === place.name)] ?? value
}
