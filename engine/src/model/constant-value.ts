/** Evaluates what a compiler could: literals, constants, `type(T).max`, casts and arithmetic on them. */
import type { Binary, Call, Expression, Member } from '../syntax/index.ts'
import type { Declaration, VariableModel } from './declaration.ts'
import { memberInfo } from './members.ts'
import type { Type } from './type.ts'
import { typeOf } from './type-expressions.ts'
import type { World } from './world.ts'

export type ConstantValue = bigint | string | boolean | undefined

const maxDepth = 64

export const constantValue = (node: Expression, world: World, depth = 0): ConstantValue => {
  if (depth > maxDepth) return undefined
  switch (node.kind) {
    case 'Literal':
      return literalValue(node, world)
    case 'Identifier': {
      const found = world.resolve(node)
      return found === undefined || Array.isArray(found) ? undefined : declaredValue(found as Declaration, world, depth)
    }
    case 'Tuple': {
      const [only] = node.elements
      return node.elements.length === 1 && only ? constantValue(only, world, depth + 1) : undefined
    }
    case 'Unary':
      return unaryValue(node.operator, node.operand, world, depth)
    case 'Binary':
      return binaryValue(node, world, depth)
    case 'Conditional': {
      const condition = constantValue(node.condition, world, depth + 1)
      if (typeof condition !== 'boolean') return undefined
      return constantValue(condition ? node.then : node.else, world, depth + 1)
    }
    case 'Member':
      return memberValue(node, world, depth)
    case 'Call':
      return callValue(node, world, depth)
    default:
      return undefined
  }
}

const literalValue = (node: Expression & { kind: 'Literal' }, world: World): ConstantValue => {
  switch (node.literalKind) {
    case 'bool':
      return node.value === 'true'
    case 'string':
    case 'unicodeString':
    case 'hexString':
      return node.value
  }
  const type = typeOf(node, world)
  if (type.kind === 'rational') return type.denominator === 1n ? type.numerator : undefined
  // An address literal.
  return type.kind === 'address' ? BigInt(node.value.replaceAll('_', '')) : undefined
}

const declaredValue = (declaration: Declaration, world: World, depth: number): ConstantValue => {
  if (declaration.kind === 'enumValue') return BigInt(declaration.index)
  if (declaration.kind !== 'variable' || !declaration.isConstant) return undefined
  return variableValue(declaration, world, depth)
}

const variableValue = (variable: VariableModel, world: World, depth: number): ConstantValue => {
  if (variable.value === null) return undefined
  if (world.constants.has(variable)) return world.constants.get(variable)
  // A constant defined by itself has no value; the entry also ends that circle.
  world.constants.set(variable, undefined)
  const value = converted(constantValue(variable.value, world, depth + 1), variable.type)
  world.constants.set(variable, value)
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

const unaryValue = (operator: string, operand: Expression, world: World, depth: number): ConstantValue => {
  const value = constantValue(operand, world, depth + 1)
  if (operator === '!') return typeof value === 'boolean' ? !value : undefined
  if (typeof value !== 'bigint') return undefined
  switch (operator) {
    case '-':
      return inRange(-value, typeOf(operand, world))
    case '+':
      return value
    case '~':
      return converted(~value, typeOf(operand, world))
    default:
      return undefined
  }
}

const inRange = (value: bigint, type: Type): ConstantValue =>
  type.kind !== 'int' || converted(value, type) === value ? value : undefined

const binaryValue = (node: Binary, world: World, depth: number): ConstantValue => {
  const type = typeOf(node, world)
  // Literals compute exactly, fractions included, which the types have done already.
  if (type.kind === 'rational') return type.denominator === 1n ? type.numerator : undefined
  const left = constantValue(node.left, world, depth + 1)
  if (left === undefined) return undefined
  const right = constantValue(node.right, world, depth + 1)
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

const memberValue = (node: Member, world: World, depth: number): ConstantValue => {
  const { name } = node.name
  if (name === 'max' || name === 'min') {
    const object = typeOf(node.object, world)
    if (object.kind === 'meta') return limitOf(object.actual, name)
  }
  const { found } = memberInfo(node, world)
  return found === undefined || Array.isArray(found) ? undefined : declaredValue(found as Declaration, world, depth + 1)
}

const limitOf = (type: Type, name: 'max' | 'min'): ConstantValue => {
  if (type.kind === 'enum') return name === 'min' ? 0n : BigInt(type.enum.values.length - 1)
  if (type.kind !== 'int') return undefined
  const size = 1n << BigInt(type.signed ? type.bits - 1 : type.bits)
  return name === 'max' ? size - 1n : type.signed ? -size : 0n
}

const callValue = (node: Call, world: World, depth: number): ConstantValue => {
  const target = world.callTarget(node)
  const [operand] = node.args.values
  if (operand === undefined) return undefined
  if (target.kind === 'type-conversion') return converted(constantValue(operand, world, depth + 1), target.type)
  if (target.builtin === 'wrap' || target.builtin === 'unwrap') return constantValue(operand, world, depth + 1)
  return undefined
}
