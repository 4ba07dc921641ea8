/**
 * Values in a form by which functions can be compared: a parameter is its type, state is its variable and path, an environment value its
 * name. `positions[id].owner == msg.sender` has one shape in every function, whatever `id` is called and wherever the check is written.
 */
import { type Location, type Op, opposites, stripCasts } from '../ir/index.ts'

const deepest = 8

/** Null where a value depends on which way execution came, or nests too deeply. */
export const shapeOf = (value: Op, depth = 0): string | null => {
  const op = stripCasts(value)
  if (depth > deepest) return null
  const partsOf = (parts: readonly Op[]): string | null => {
    const shapes = parts.map((part) => shapeOf(part, depth + 1))
    return shapes.includes(null) ? null : shapes.join(',')
  }
  switch (op.kind) {
    case 'const':
      return `#${op.constant ?? op.operator}`
    case 'env':
      return op.operator
    case 'param':
      return op.decl?.kind === 'variable' ? `<${op.decl.type.id}>` : null
    case 'load':
      return shapeOfPlace(op.location, depth)
    case 'un':
      return join(op.operator, partsOf(op.args))
    case 'bin':
      return shapeOfBinary(op.operator, shapeOf(op.args[0], depth + 1), shapeOf(op.args[1], depth + 1))
    case 'builtin':
      return join(op.operator, partsOf(op.args))
    case 'extract':
      return join(`${op.constant ?? op.operator}`, partsOf(op.args))
    case 'call': {
      const { target, definition, name } = op.call
      return join(`${name}@${definition?.node.start ?? ''}`, partsOf(target === null ? op.args : [target, ...op.args]))
    }
    default:
      return null
  }
}

const join = (head: string, parts: string | null): string | null => (parts === null ? null : `${head}(${parts})`)

const mirrored: Readonly<Record<string, string>> = { '>': '<', '>=': '<=' }
const symmetric: ReadonlySet<string> = new Set(['==', '!=', '+', '*', '&', '|', '^', '&&', '||'])

const shapeOfBinary = (operator: string, a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return null
  const isTurned = operator in mirrored || (symmetric.has(operator) && a > b)
  return isTurned ? `(${b} ${mirrored[operator] ?? operator} ${a})` : `(${a} ${operator} ${b})`
}

const shapeOfPlace = (place: Location, depth: number): string | null => {
  const { part, parent, variable, base, index, name, type } = place
  // A field of a struct that comes in with the call is a parameter like any other.
  if (part === 'field' && type !== null && parent?.base?.kind === 'param' && parent.parent === null)
    return `<${type.id}>`
  if (parent === null)
    return variable !== null ? `$${variable.span.start}` : base === null ? null : shapeOf(base, depth + 1)
  const outer = shapeOfPlace(parent, depth)
  const key = part === 'index' && index !== null ? shapeOf(index, depth + 1) : part === 'field' ? `.${name}` : part
  return outer === null || key === null ? null : part === 'index' ? `${outer}[${key}]` : `${outer}${key}`
}

/** A condition that comes out this way: `!(a == b)` and `b != a` have one shape. */
export const shapeOfCondition = (condition: Op, polarity: boolean): string | null => {
  const op = stripCasts(condition)
  if (op.kind === 'un' && op.operator === '!') return shapeOfCondition(op.args[0], !polarity)
  if (op.kind === 'bin' && op.operator in opposites) {
    const operator = polarity ? op.operator : opposites[op.operator]!
    return shapeOfBinary(operator, shapeOf(op.args[0]), shapeOf(op.args[1]))
  }
  return join(polarity ? 'is' : 'not', shapeOf(op))
}
