/** Evaluates what a compiler could: literals, constants, `type(T).max`, casts and arithmetic on them. */
import type { Binary, Call, Expression, Member } from '../syntax/index.ts'
import type { Declaration, Type, VariableModel } from './declaration.ts'
import { memberInfo } from './members.ts'
import type { ConstantValue, Symbols } from './symbols.ts'
import { typeOf } from './type-expressions.ts'

const maxDepth = 64

export const constantValue = (node: Expression, symbols: Symbols, depth = 0): ConstantValue => {
  if (depth > maxDepth) return undefined
  switch (node.kind) {
    case 'Literal':
      return literalValue(node, symbols)
    case 'Identifier': {
      const found = symbols.resolve(node)
      return found === undefined || Array.isArray(found)
        ? undefined
        : declaredValue(found as Declaration, symbols, depth)
    }
    case 'Tuple': {
      const [only] = node.elements
      return node.elements.length === 1 && only ? constantValue(only, symbols, depth + 1) : undefined
    }
    case 'Unary':
      return unaryValue(node.operator, node.operand, symbols, depth)
    case 'Binary':
      return binaryValue(node, symbols, depth)
    case 'Conditional': {
      const condition = constantValue(node.condition, symbols, depth + 1)
      if (typeof condition !== 'boolean') return undefined
      return constantValue(condition ? node.then : node.else, symbols, depth + 1)
    }
    case 'Member':
      return memberValue(node, symbols, depth)
    case 'Call':
      return callValue(node, symbols, depth)
    default:
      return undefined
  }
}

const literalValue = (node: Expression & { kind: 'Literal' }, symbols: Symbols): ConstantValue => {
  switch (node.literalKind) {
    case 'bool':
      return node.value === 'true'
    case 'string':
    case 'unicodeString':
    case 'hexString':
      return node.value
  }
  const type = typeOf(node, symbols)
  if (type.kind === 'rational') return type.denominator === 1n ? type.numerator : undefined
  // An address literal.
  return type.kind === 'address' ? BigInt(node.value.replaceAll('_', '')) : undefined
}

const declaredValue = (declaration: Declaration, symbols: Symbols, depth: number): ConstantValue => {
  if (declaration.kind === 'enumValue') return BigInt(declaration.index)
  if (declaration.kind !== 'variable' || !declaration.isConstant) return undefined
  return variableValue(declaration, symbols, depth)
}

const variableValue = (variable: VariableModel, symbols: Symbols, depth: number): ConstantValue => {
  if (variable.value === null) return undefined
  if (symbols.constants.has(variable)) return symbols.constants.get(variable)
  // A constant defined by itself has no value; the entry also ends that circle.
  symbols.constants.set(variable, undefined)
  const value = converted(constantValue(variable.value, symbols, depth + 1), variable.type)
  symbols.constants.set(variable, value)
  return value
}

const converted = (value: ConstantValue, type: Type): ConstantValue => {
  if (typeof value !== 'bigint') return value
  switch (type.kind) {
    case 'int':
      return type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)
    case 'address':
    case 'contract':
      return BigInt.asUintN(160, value)
    default:
      return value
  }
}

const unaryValue = (operator: string, operand: Expression, symbols: Symbols, depth: number): ConstantValue => {
  const value = constantValue(operand, symbols, depth + 1)
  if (operator === '!') return typeof value === 'boolean' ? !value : undefined
  if (typeof value !== 'bigint') return undefined
  switch (operator) {
    case '-':
      return inRange(-value, typeOf(operand, symbols))
    case '+':
      return value
    case '~':
      return converted(~value, typeOf(operand, symbols))
    default:
      return undefined
  }
}

const inRange = (value: bigint, type: Type): ConstantValue =>
  type.kind !== 'int' || converted(value, type) === value ? value : undefined

const binaryValue = (node: Binary, symbols: Symbols, depth: number): ConstantValue => {
  const type = typeOf(node, symbols)
  // Literals compute exactly, fractions included, which the types have done already.
  if (type.kind === 'rational') return type.denominator === 1n ? type.numerator : undefined
  const left = constantValue(node.left, symbols, depth + 1)
  if (left === undefined) return undefined
  const right = constantValue(node.right, symbols, depth + 1)
  if (typeof left === 'boolean' && typeof right === 'boolean') return logic(node.operator, left, right)
  if (typeof left !== 'bigint' || typeof right !== 'bigint') return undefined
  const value = exactArithmetic(node.operator, left, right)
  return typeof value === 'bigint' ? inRange(value, type) : value
}

const logic = (operator: string, left: boolean, right: boolean): ConstantValue => {
  switch (operator) {
    case '&&':
      return left && right
    case '||':
      return left || right
    case '==':
      return left === right
    case '!=':
      return left !== right
    default:
      return undefined
  }
}

const maxShift = 512n
const largestBase = 1n << 256n

/** Of numbers without a size, as the compiler treats literals. What would grow beyond all measure has no value. */
export const exactArithmetic = (operator: string, left: bigint, right: bigint): ConstantValue => {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0n ? undefined : left / right
    case '%':
      return right === 0n ? undefined : left % right
    case '**':
      return right >= 0n && right <= maxShift && left <= largestBase ? left ** right : undefined
    case '<<':
      return right >= 0n && right <= maxShift ? left << right : undefined
    case '>>':
      return right >= 0n && right <= maxShift ? left >> right : undefined
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    case '==':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return left < right
    case '>':
      return left > right
    case '<=':
      return left <= right
    case '>=':
      return left >= right
    default:
      return undefined
  }
}

const memberValue = (node: Member, symbols: Symbols, depth: number): ConstantValue => {
  const { name } = node.name
  if (name === 'max' || name === 'min') {
    const object = typeOf(node.object, symbols)
    if (object.kind === 'meta') return limitOf(object.actual, name)
  }
  const { found } = memberInfo(node, symbols)
  return found === undefined || Array.isArray(found)
    ? undefined
    : declaredValue(found as Declaration, symbols, depth + 1)
}

const limitOf = (type: Type, name: 'max' | 'min'): ConstantValue => {
  if (type.kind === 'enum') return name === 'min' ? 0n : BigInt(type.enum.values.length - 1)
  if (type.kind !== 'int') return undefined
  const size = 1n << BigInt(type.signed ? type.bits - 1 : type.bits)
  return name === 'max' ? size - 1n : type.signed ? -size : 0n
}

const callValue = (node: Call, symbols: Symbols, depth: number): ConstantValue => {
  const target = symbols.callTarget(node)
  const [operand] = node.args.values
  if (operand === undefined) return undefined
  if (target.kind === 'type-conversion') return converted(constantValue(operand, symbols, depth + 1), target.type)
  if (target.builtin === 'wrap' || target.builtin === 'unwrap') return constantValue(operand, symbols, depth + 1)
  return undefined
}
