/** Which arguments of a call, to the field of a struct, a value is made of. */
import { type Flow, fieldPath, type Location, type Op, rootOf, stripCasts } from '../ir/index.ts'
import type { Type } from '../model/index.ts'
import { pushSources } from './dependencies.ts'

/** A parameter, or a field of a struct that comes in with the call: `order.price`, `orders[i].price`. Elements are not distinguished. */
export interface Argument {
  readonly param: Op
  /** `.price`; empty for all of it. */
  readonly path: string
}

/** As a reader calls it. */
export const nameOfArgument = ({ param, path }: Argument): string => {
  const isList = param.decl?.kind === 'variable' && param.decl.type.kind === 'array'
  return `${param.operator}${isList ? '[…]' : ''}${path}`
}

/** The second is the first, or a part of it. */
export const includesArgument = (whole: Argument, part: Argument): boolean =>
  whole.param === part.param && (whole.path === part.path || part.path.startsWith(`${whole.path}.`))

/** Of a struct, or of a list of structs. */
export const fieldsOfArgument = ({ param, path }: Argument): readonly Argument[] => {
  let type = param.decl?.kind === 'variable' ? elementOf(param.decl.type) : null
  for (const name of path.split('.').slice(1)) {
    const field = type?.kind === 'struct' ? type.struct.fields.find((one) => one.name === name) : undefined
    type = field === undefined ? null : elementOf(field.type)
  }
  return type?.kind === 'struct' ? type.struct.fields.map(({ name }) => ({ param, path: `${path}.${name}` })) : []
}

const elementOf = (type: Type): Type => (type.kind === 'array' ? elementOf(type.base) : type)

/** `keys`: also what says which record is read. `data`: what a value is made of, and not which contract returned it. */
type Reach = 'keys' | 'data'

/** Arguments that a value is made of. */
export const argumentsIn = (flow: Flow, value: Op, reach: Reach): readonly Argument[] =>
  flow.remember(reach === 'keys' ? withKeys : dataOnly, value, () => collect(flow, value, reach))

const withKeys = {}
const dataOnly = {}

const collect = (flow: Flow, value: Op, reach: Reach): readonly Argument[] => {
  const found = new Map<string, Argument>()
  const seen = new Set<Op>()
  const read = new Set<Location>()
  const work: Op[] = [value]
  for (let op = work.pop(); op !== undefined; op = work.pop()) {
    if (seen.has(op)) continue
    seen.add(op)
    const argument = argumentAt(op)
    if (argument !== null) found.set(`${argument.param.id}${argument.path}`, argument)
    if (argument !== null && op.kind === 'load') {
      if (reach === 'keys') work.push(...indicesOf(op.location))
      for (const store of flow.memoryStoresTo(op.location)) work.push(store.args[0])
    } else if (op.kind === 'call' && reach === 'data') work.push(...op.args)
    else pushSources(flow, op, reach === 'keys', work, read)
  }
  return [...found.values()]
}

const indicesOf = (place: Location): Op[] => {
  const found: Op[] = []
  for (let at: Location | null = place; at !== null; at = at.parent) if (at.index !== null) found.push(at.index)
  return found
}

/** What an operation reads of a parameter; null where it is made of several values, or of none. */
const argumentAt = (value: Op): Argument | null => {
  const op = stripCasts(value)
  if (op.kind === 'param') return { param: op, path: '' }
  if (op.kind !== 'load' || op.location.space !== 'memory') return null
  const { base } = rootOf(op.location)
  const of = base === null ? null : argumentAt(base)
  return of === null ? null : { param: of.param, path: of.path + fieldPath(op.location) }
}
