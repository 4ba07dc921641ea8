/** Types of the values of an operation. */
import type { Model, Type } from '../model/index.ts'
import type { Assignment, Expression, Span } from '../syntax/index.ts'
import type { Op } from './ir.ts'

/** The type of a value; null where it has none that matters. */
export const typeOf = (model: Model, op: Op): Type | null => {
  if (op.decl !== null && op.decl.kind === 'variable') return op.decl.type
  if (op.kind === 'load') {
    const type = op.location.type
    if (type !== null && (type.kind === 'int' || type.kind === 'bool' || type.kind === 'address')) return type
  }
  if (op.node === null || !isExpression(op.node)) return null
  return typeOfChanged(op) ?? partOf(op, model.typeOf(op.node))
}

/** Of `total += x` it is that of the place, which is known where the place is read. */
const typeOfChanged = ({ kind, node, args }: Op): Type | null => {
  if (kind !== 'bin' || (node as Expression).kind !== 'Assignment') return null
  const [old] = args
  if (old!.kind !== 'load' || old!.node !== (node as Assignment).target) return null
  const type = old!.location.type
  return type !== null && type.kind === 'int' ? type : null
}

/** One of several results has the type of its part: `(uint128 a, address b) = abi.decode(…)`. */
const partOf = ({ kind, constant }: Op, type: Type | null): Type | null =>
  kind === 'extract' && constant !== null && type?.kind === 'tuple' ? (type.elements[Number(constant)] ?? null) : type

/** A switch, because it is evaluated for nearly every operation. */
const isExpression = (node: Span): node is Expression => {
  switch ((node as Expression).kind) {
    case 'Identifier':
    case 'Binary':
    case 'Member':
    case 'Call':
    case 'Index':
    case 'Literal':
    case 'Assignment':
    case 'Unary':
    case 'Conditional':
    case 'CallOptions':
    case 'Slice':
    case 'Tuple':
    case 'ArrayLiteral':
      return true
    default:
      return false
  }
}
