/** Values looked at through what does not change them. */
import { budget } from './budget.ts'
import { rootOf } from './field-path.ts'
import type { Location, Op } from './ir.ts'

/** The value behind conversions, and behind a loop's phi for what the loop does not change after all. */
export const stripCasts = (value: Op): Op => {
  let op = value
  while (op.kind === 'cast' || (op.kind === 'phi' && op.args.length === 2 && op.args[1] === op)) op = op.args[0]
  return op
}

/** The values that a phi or `c ? a : b` takes one of; of another operation none. */
export const alternativesOf = (op: Op): readonly Op[] =>
  op.kind === 'phi' ? op.args : op.kind === 'select' ? op.args.slice(1) : []

/** This very number, also converted. */
const isNumber = (value: Op, number: bigint): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && constant === number
}

export const isZero = (value: Op): boolean => isNumber(value, 0n)

export const isOne = (value: Op): boolean => isNumber(value, 1n)

export const isGasLeft = ({ kind, operator }: Op): boolean => kind === 'builtin' && operator === 'gasleft'

/** A read or a write of storage that lasts for a transaction and lies apart from the other: `tload`, `tstore`. */
export const isTransient = ({ node }: Op): boolean => {
  const { kind, name } = (node ?? {}) as { kind?: string; name?: { name: string } }
  return kind === 'YulCall' && (name!.name === 'tload' || name!.name === 'tstore')
}

/** The same value, also when an expression is written twice. */
export const sameValue = (a: Op, b: Op, depth = 0): boolean => {
  const x = stripCasts(a)
  const y = stripCasts(b)
  if (x === y) return true
  if (depth > budget.depth.sameValue || x.kind !== y.kind || x.operator !== y.operator) return false
  if (x.kind === 'bin' || x.kind === 'un') {
    if (sameArguments(x, y, depth + 1)) return true
    if (x.operator !== '+' && x.operator !== '*') return false
    return sameValue(x.args[0], y.args[1]!, depth + 1) && sameValue(x.args[1]!, y.args[0]!, depth + 1)
  }
  if (x.kind === 'compute') return x.decl === y.decl && sameArguments(x, y, depth + 1)
  if (x.kind === 'builtin' && x.operator === 'balance') return sameValue(x.args[0]!, y.args[0]!, depth + 1)
  // A list in memory keeps its length, and nobody changes what came with the call.
  if (x.kind === 'load' && x.location === y.location && x.location.space === 'memory')
    return x.location.part === 'length' || isCallData(x.location)
  return x.kind === 'load' && y.kind === 'load' && isSameCallData(x.location, y.location)
}

/** The same value, or what the same place holds at two moments. */
export const sameValueOrPlace = (a: Op, b: Op): boolean => {
  const [x, y] = [stripCasts(a), stripCasts(b)]
  return sameValue(x, y) || (x.kind === 'load' && y.kind === 'load' && x.location === y.location)
}

const isCallData = (place: Location): boolean => {
  const { base } = rootOf(place)
  return base?.kind === 'param' && base.decl?.kind === 'variable' && base.decl.location === 'calldata'
}

/** `args.order.fee`, read at once or through `args.order` that a helper was given. */
const isSameCallData = (a: Location, b: Location): boolean => {
  if (a.space !== 'memory' || b.space !== 'memory' || a.part !== b.part || a.name !== b.name) return false
  let x: Location | null = a
  let y: Location | null = b
  while (x !== null && y !== null && x !== y) {
    if (x.part !== y.part || x.name !== y.name || x.index !== y.index) return false
    x = placeAround(x)
    y = placeAround(y)
  }
  return x !== null && x === y && isCallData(throughRecords(x))
}

/** Of the root of what was read from a record as a whole, the place of that in the record. */
const throughRecords = (place: Location): Location => {
  const { base } = rootOf(place)
  return base?.kind === 'load' && base.location.space === 'memory' ? throughRecords(base.location) : place
}

const placeAround = ({ parent, base }: Location): Location | null => {
  const place = parent?.part === 'root' ? (recordOf(parent.base) ?? parent) : parent
  return place ?? recordOf(base)
}

const recordOf = (base: Op | null): Location | null =>
  base?.kind === 'load' && base.location.space === 'memory' ? base.location : null

const sameArguments = (x: Op, y: Op, depth: number): boolean => {
  for (let i = 0; i < x.args.length; i++) if (!sameValue(x.args[i]!, y.args[i]!, depth)) return false
  return true
}

/** Both orders of the two sides of an operation. */
export const bothOrders = ({ args }: Op): readonly (readonly [Op, Op])[] => {
  const [a, b] = args.map(stripCasts) as [Op, Op]
  return [
    [a, b],
    [b, a],
  ]
}

/** What a sum is made of. */
export const addendsOf = (value: Op): Op[] => {
  const found: Op[] = []
  const work = [value]
  while (work.length > 0 && found.length < 8) {
    const op = stripCasts(work.pop()!)
    if (op.kind === 'bin' && op.operator === '+') work.push(op.args[0], op.args[1])
    else found.push(op)
  }
  return found
}

export const isAmong = (some: readonly Op[], all: readonly Op[]): boolean => {
  const rest = [...all]
  return some.every((part) => {
    const at = rest.findIndex((other) => sameValue(other, part))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}
