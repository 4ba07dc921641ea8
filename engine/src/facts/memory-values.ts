/** What may lie in a field of a struct in memory: trust, ranges and attainable numbers go through it. */
import { budget, type Flow, type Location, type Op, stripCasts } from '../ir/index.ts'

/** Where a value in memory comes from: values of this flow, or a field of a struct that was copied from storage. */
export interface MemoryContent {
  readonly values: readonly Op[]
  readonly copies: readonly Location[]
}

const maxDepth = budget.depth.memoryCopies

/** What may lie in a place in memory; null when somebody unseen may have put something else there. */
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
  if (isHandedOut(flow, base)) return false
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
const isHandedOut = (flow: Flow, base: Op): boolean =>
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
