/** Types of expressions, kept once known. A deep tree is settled from its leaves, so that no answer recurses far. */
import type { Binary, Expression, Identifier, Literal, Unary } from '../syntax/index.ts'
import { attachedOperator } from './attached-functions.ts'
import { callTarget } from './call-targets.ts'
import type { Contract } from './contract.ts'
import { commonType, mobileType } from './conversions.ts'
import type { Declaration, FunctionModel } from './declaration.ts'
import { callMeaning, memberMeaning } from './meanings.ts'
import { memberInfo } from './members.ts'
import type { RationalType, Type } from './type.ts'
import { typeOfDeclaration, withLocation } from './type-names.ts'
import { address, bool, bytes1, emptyTuple, payableAddress } from './type-table.ts'
import type { World } from './world.ts'

const maxDepth = 100

export const typeOf = (node: Expression, world: World): Type => {
  const known = knownType(node, world)
  if (known !== undefined) return known
  if (world.depth > maxDepth) settle(node, world)
  world.depth++
  const type = computeType(node, world)
  world.depth--
  // Members and calls are kept with all that is known about them.
  if (node.kind !== 'Member' && node.kind !== 'Call') world.expressionTypes.set(node, type)
  return type
}

/** What needs no work, or has been worked out before. */
const knownType = (node: Expression, world: World): Type | undefined => {
  switch (node.kind) {
    case 'Identifier':
      return typeOfIdentifier(node, world)
    case 'Member':
      return memberMeaning(node, world)?.type
    case 'Call':
      return callMeaning(node, world)?.type
    case 'Binary':
      return comparisons.has(node.operator) ? bool : world.expressionTypes.get(node)
    case 'ErrorExpression':
      return world.types.unknown('unreadable')
    default:
      return world.expressionTypes.get(node)
  }
}

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||'])

/** Types everything below a node, leaves first. */
const settle = (root: Expression, world: World) => {
  const order: Expression[] = [root]
  for (let i = 0; i < order.length; i++) pushChildren(order[i] as Expression, order)
  const { depth } = world
  world.depth = 0
  for (let i = order.length - 1; i > 0; i--) typeOf(order[i] as Expression, world)
  world.depth = depth
}

export const pushChildren = (node: Expression, into: Expression[]) => {
  switch (node.kind) {
    case 'Member':
      into.push(node.object)
      break
    case 'Call':
      into.push(node.callee, ...node.args.values)
      break
    case 'Binary':
      into.push(node.left, node.right)
      break
    case 'Assignment':
      into.push(node.target, node.value)
      break
    case 'Index':
      into.push(node.object)
      if (node.index !== null) into.push(node.index)
      break
    case 'Unary':
      into.push(node.operand)
      break
    case 'Tuple':
      for (const element of node.elements) if (element !== null) into.push(element)
      break
    case 'Conditional':
      into.push(node.condition, node.then, node.else)
      break
    case 'CallOptions':
      into.push(node.callee, ...node.values)
      break
    case 'ArrayLiteral':
      into.push(...node.elements)
      break
    case 'Slice':
      into.push(node.object)
      if (node.from !== null) into.push(node.from)
      if (node.to !== null) into.push(node.to)
  }
}

const computeType = (node: Expression, world: World): Type => {
  const { types } = world
  switch (node.kind) {
    case 'Literal':
      return typeOfLiteral(node, world)
    case 'Member':
      return memberInfo(node, world).type
    case 'Call':
      return callTarget(node, world).type
    case 'Binary':
      return typeOfBinary(node, world)
    case 'Assignment':
      return typeOf(node.target, world)
    case 'Unary':
      return typeOfUnary(node, world)
    case 'Index':
      return typeOfIndex(node, world)
    case 'Conditional':
      return typeOfConditional(typeOf(node.then, world), typeOf(node.else, world), world)
    case 'Tuple': {
      const [only] = node.elements
      if (node.elements.length === 1 && only) return typeOf(only, world)
      return types.tuple(node.elements.map((element) => (element === null ? null : typeOf(element, world))))
    }
    case 'CallOptions':
      return typeOf(node.callee, world)
    case 'NewExpression':
      return types.pointer([], [withLocation(world.typeOfNameAt(node.type), 'memory', world)], 'internal', 'payable')
    case 'Slice':
      return typeOf(node.object, world)
    case 'ArrayLiteral':
      return typeOfArrayLiteral(node.elements, world)
    case 'TypeExpression':
      return types.typeOfType(world.typeOfNameAt(node.type))
    case 'Identifier':
      return typeOfIdentifier(node, world)
    case 'ErrorExpression':
      return types.unknown('unreadable')
  }
}

export const typeOfIdentifier = (node: Identifier, world: World): Type => {
  const found = world.resolve(node)
  if (found === undefined) return world.types.unknown(node.name)
  if (!Array.isArray(found)) {
    const declaration = found as Declaration
    if (declaration.kind === 'variable') return declaration.type
    if (declaration.kind === 'builtin') {
      if (declaration.name === 'this' || declaration.name === 'super') return typeOfSelf(node, declaration.name, world)
      return declaration.type
    }
  }
  return typeOfFound(found, world)
}

const typeOfSelf = (node: Identifier, name: 'this' | 'super', world: World): Type => {
  const contract = world.contractAt(node.start) as Contract | undefined
  if (contract === undefined) return world.types.unknown(name)
  return name === 'this' ? world.types.contract(contract) : world.types.super(contract)
}

/** The type of an expression that names these declarations. */
export const typeOfFound = (found: Declaration | readonly Declaration[], world: World): Type => {
  const { types } = world
  const declaration = Array.isArray(found) ? (found[0] as Declaration) : (found as Declaration)
  switch (declaration.kind) {
    case 'variable':
    case 'builtin':
      return declaration.type
    case 'function': {
      const functions = Array.isArray(found) ? found.filter(isFunction) : [declaration]
      return types.functions(functions, false)
    }
    case 'contract':
    case 'enum':
    case 'userType':
      return types.typeOfType(typeOfDeclaration(declaration, [], world))
    case 'struct':
      return types.typeOfType(types.struct(declaration, 'memory'))
    case 'enumValue':
      return types.enum(declaration.enum)
    case 'event':
      return types.event(declaration)
    case 'error':
      return types.error(declaration)
    case 'module':
      return declaration.target === null ? types.unknown(declaration.name) : types.module(declaration.target)
    default:
      return types.unknown(declaration.name)
  }
}

export const isFunction = (declaration: Declaration): declaration is FunctionModel => declaration.kind === 'function'

const units: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  szabo: 10n ** 12n,
  finney: 10n ** 15n,
  ether: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3600n,
  days: 86400n,
  weeks: 604800n,
  years: 31536000n,
}

const typeOfLiteral = (node: Literal, world: World): Type => {
  switch (node.literalKind) {
    case 'bool':
      return bool
    case 'string':
    case 'unicodeString':
      return world.types.stringLiteral(node.value, false)
    case 'hexString':
      return world.types.stringLiteral(node.value.replaceAll('_', ''), true)
    case 'hexNumber':
      return typeOfHex(node, world)
    case 'number':
      return typeOfNumber(node, world)
  }
}

/** Twenty bytes in hex are an address. */
const typeOfHex = (node: Literal, world: World): Type => {
  const digits = node.value.slice(2).replaceAll('_', '')
  if (digits.length === 40) return world.fileAt(node.start)?.versions.isAtLeast(8) ? address : payableAddress
  if (!/^[0-9a-fA-F]{1,512}$/.test(digits)) return world.types.unknown('number')
  const scale = node.unit === null ? 1n : (units[node.unit] ?? 1n)
  return world.types.rational(BigInt(`0x${digits}`) * scale, 1n, digits.length % 2 === 0 ? digits.length / 2 : null)
}

const decimal = /^(\d*)\.?(\d*)(?:[eE](-?\d+))?$/

const typeOfNumber = (node: Literal, world: World): Type => {
  const key = node.unit === null ? node.value : `${node.value} ${node.unit}`
  const { literals } = world.types
  let type = literals.get(key)
  if (type === undefined) {
    type = readNumber(node, world)
    literals.set(key, type)
  }
  return type
}

const readNumber = (node: Literal, world: World): Type => {
  if (node.unit === null && isPlain(node.value)) return world.types.wholeNumber(node.value)
  const match = decimal.exec(node.value.includes('_') ? node.value.replaceAll('_', '') : node.value)
  if (match === null || node.value.length > 400) return world.types.unknown('number')
  const [, whole = '', fraction = '', exponent = '0'] = match
  const power = Number(exponent) - fraction.length
  if (Math.abs(power) > maxPower) return world.types.unknown('number')
  const digits = BigInt(whole + fraction || '0') * (node.unit === null ? 1n : (units[node.unit] ?? 1n))
  return power >= 0
    ? world.types.rational(digits * 10n ** BigInt(power), 1n, null)
    : rational(digits, 10n ** BigInt(-power), world)
}

const maxPlainDigits = 80

/** Digits alone, as its number is written out again. */
const isPlain = (text: string): boolean => {
  const { length } = text
  if (length === 0 || length > maxPlainDigits || (length > 1 && text.charCodeAt(0) === 48)) return false
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i)
    if (digit < 48 || digit > 57) return false
  }
  return true
}

const maxPower = 1200
const maxBits = 4096n

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => {
  let x = a < 0n ? -a : a
  let y = b
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

const rational = (numerator: bigint, denominator: bigint, world: World): Type => {
  if (denominator === 0n) return world.types.unknown('division by zero')
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(numerator, denominator * sign) || 1n
  return world.types.rational((sign * numerator) / divisor, (sign * denominator) / divisor, null)
}

const typeOfUnary = (node: Unary, world: World): Type => {
  const operand = typeOf(node.operand, world)
  switch (node.operator) {
    case '!':
      return bool
    case 'delete':
      return emptyTuple
    case '-':
    case '~':
    case '+':
      if (operand.kind === 'rational') return unaryRational(node.operator, operand, world)
      if (operand.kind === 'userValue') return attachedOperator(node, operand, 1, world) ?? operand
  }
  return operand
}

const unaryRational = (operator: string, operand: RationalType, world: World): Type => {
  if (operator === '-') return world.types.rational(-operand.numerator, operand.denominator, null)
  if (operator === '+') return operand
  return operand.denominator === 1n
    ? world.types.rational(~operand.numerator, 1n, null)
    : world.types.unknown('fraction')
}

const typeOfBinary = (node: Binary, world: World): Type => {
  const left = typeOf(node.left, world)
  const right = typeOf(node.right, world)
  if (left.kind === 'userValue') return attachedOperator(node, left, 2, world) ?? left
  if (left.kind === 'rational' && right.kind === 'rational') return binaryRational(node.operator, left, right, world)
  switch (node.operator) {
    case '**':
    case '<<':
    case '>>':
    case '>>>':
      // A literal base takes the smallest type that holds it before 0.7, then 256 bits.
      return left.kind === 'rational' ? shiftBase(node, left, world) : left
  }
  return commonType(left, right, world) ?? mobileType(left, world)
}

const shiftBase = (node: Binary, left: RationalType, world: World): Type => {
  if (world.fileAt(node.start)?.versions.isAtLeast(7)) {
    return left.numerator < 0n ? world.wideInt : world.wideUint
  }
  return mobileType(left, world)
}

const bits = (value: bigint): bigint => BigInt(value.toString(16).length * 4)

const binaryRational = (operator: string, a: RationalType, b: RationalType, world: World): Type => {
  const { numerator: p, denominator: q } = a
  const { numerator: r, denominator: s } = b
  const isWhole = q === 1n && s === 1n
  switch (operator) {
    case '+':
      return isWhole ? world.types.rational(p + r, 1n, null) : rational(p * s + r * q, q * s, world)
    case '-':
      return isWhole ? world.types.rational(p - r, 1n, null) : rational(p * s - r * q, q * s, world)
    case '*':
      if (bits(p) + bits(r) > maxBits) return world.types.unknown('number')
      return isWhole ? world.types.rational(p * r, 1n, null) : rational(p * r, q * s, world)
    case '/':
      return rational(p * s, q * r, world)
    case '%':
      if (!isWhole || r === 0n) return world.types.unknown('number')
      return world.types.rational(p % r, 1n, null)
    case '**':
      return power(a, b, world)
  }
  return isWhole ? bitwise(operator, p, r, world) : world.types.unknown('number')
}

const power = (base: RationalType, exponent: RationalType, world: World): Type => {
  const e = exponent.numerator
  if (exponent.denominator !== 1n) return world.types.unknown('number')
  const size = e < 0n ? -e : e
  const { numerator, denominator } = base
  if (size > maxBits || bits(numerator) * size > maxBits || bits(denominator) * size > maxBits) {
    const isTrivial = denominator === 1n && (numerator === 0n || numerator === 1n)
    if (!isTrivial) return world.types.unknown('number')
    return world.types.rational(numerator, 1n, null)
  }
  return e < 0n
    ? rational(denominator ** size, numerator ** size, world)
    : rational(numerator ** size, denominator ** size, world)
}

const bitwise = (operator: string, p: bigint, r: bigint, world: World): Type => {
  const { types } = world
  switch (operator) {
    case '&':
      return types.rational(p & r, 1n, null)
    case '|':
      return types.rational(p | r, 1n, null)
    case '^':
      return types.rational(p ^ r, 1n, null)
    case '<<':
      return r >= 0n && r <= maxBits && bits(p) + r <= maxBits
        ? types.rational(p << r, 1n, null)
        : types.unknown('number')
    case '>>':
    case '>>>':
      return r >= 0n && r <= maxBits ? types.rational(p >> r, 1n, null) : types.rational(0n, 1n, null)
    default:
      return types.unknown('number')
  }
}

const typeOfIndex = (node: Expression & { kind: 'Index' }, world: World): Type => {
  const object = typeOf(node.object, world)
  switch (object.kind) {
    case 'mapping':
      return object.value
    case 'array':
      return object.base
    case 'bytes':
    case 'fixedBytes':
      return bytes1
    case 'type': {
      const length = node.index === null ? null : world.constantValue(node.index)
      return world.types.typeOfType(
        world.types.array(
          object.actual,
          typeof length === 'bigint' ? length : node.index === null ? null : undefined,
          null,
        ),
      )
    }
    default:
      return world.types.unknown('element')
  }
}

const typeOfConditional = (then: Type, other: Type, world: World): Type => {
  if (then === other) return mobileType(then, world)
  if (then.kind === 'tuple' && other.kind === 'tuple') return mobileType(then, world)
  return commonType(mobileType(then, world), mobileType(other, world), world) ?? mobileType(then, world)
}

const typeOfArrayLiteral = (elements: readonly Expression[], world: World): Type => {
  let base: Type | undefined
  for (const element of elements) {
    const type = mobileType(typeOf(element, world), world)
    base = base === undefined ? type : (commonType(base, type, world) ?? base)
  }
  base ??= world.types.unknown('element')
  return world.types.array(withLocation(base, 'memory', world), BigInt(elements.length), 'memory')
}
