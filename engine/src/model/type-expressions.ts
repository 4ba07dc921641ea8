/** Types of expressions, kept once known. A deep tree is settled from its leaves, so that no answer recurses far. */
import type { Binary, Expression, Identifier, Literal, Unary } from '../syntax/index.ts'
import { attachedOperator } from './attached-functions.ts'
import { commonType, mobileType } from './conversions.ts'
import type { Declaration, RationalType, Type } from './declaration.ts'
import { callMeaning, memberMeaning } from './meanings.ts'
import type { ContractSymbol, Symbols } from './symbols.ts'
import { typeOfDeclaration, withLocation } from './type-names.ts'
import { address, bool, bytes1, emptyTuple, int256, payableAddress, uint256 } from './type-table.ts'

const maxDepth = 100

export const typeOf = (node: Expression, symbols: Symbols): Type => {
  const known = knownType(node, symbols)
  if (known !== undefined) return known
  if (symbols.depth > maxDepth) settle(node, symbols)
  symbols.depth++
  const type = computeType(node, symbols)
  symbols.depth--
  // Members and calls are kept with all that is known about them.
  if (node.kind !== 'Member' && node.kind !== 'Call') symbols.expressionTypes.set(node, type)
  return type
}

/** What needs no work, or has been worked out before. */
const knownType = (node: Expression, symbols: Symbols): Type | undefined => {
  switch (node.kind) {
    case 'Identifier':
      return typeOfIdentifier(node, symbols)
    case 'Member':
      return memberMeaning(node, symbols)?.type
    case 'Call':
      return callMeaning(node, symbols)?.type
    case 'Binary':
      return comparisons.has(node.operator) ? bool : symbols.expressionTypes.get(node)
    case 'ErrorExpression':
      return symbols.types.unknown('unreadable')
    default:
      return symbols.expressionTypes.get(node)
  }
}

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||'])

/** Types everything below a node, leaves first. */
const settle = (root: Expression, symbols: Symbols) => {
  const order: Expression[] = [root]
  for (let i = 0; i < order.length; i++) pushChildren(order[i] as Expression, order)
  const { depth } = symbols
  symbols.depth = 0
  for (let i = order.length - 1; i > 0; i--) typeOf(order[i] as Expression, symbols)
  symbols.depth = depth
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

const computeType = (node: Expression, symbols: Symbols): Type => {
  const { types } = symbols
  switch (node.kind) {
    case 'Literal':
      return typeOfLiteral(node, symbols)
    case 'Member':
      return symbols.memberInfo(node).type
    case 'Call':
      return symbols.callTarget(node).type
    case 'Binary':
      return typeOfBinary(node, symbols)
    case 'Assignment':
      return typeOf(node.target, symbols)
    case 'Unary':
      return typeOfUnary(node, symbols)
    case 'Index':
      return typeOfIndex(node, symbols)
    case 'Conditional':
      return typeOfConditional(typeOf(node.then, symbols), typeOf(node.else, symbols), symbols)
    case 'Tuple': {
      const [only] = node.elements
      if (node.elements.length === 1 && only) return typeOf(only, symbols)
      return types.tuple(node.elements.map((element) => (element === null ? null : typeOf(element, symbols))))
    }
    case 'CallOptions':
      return typeOf(node.callee, symbols)
    case 'NewExpression':
      return types.pointer(
        [],
        [withLocation(symbols.typeOfNameAt(node.type), 'memory', symbols)],
        'internal',
        'payable',
      )
    case 'Slice':
      return typeOf(node.object, symbols)
    case 'ArrayLiteral':
      return typeOfArrayLiteral(node.elements, symbols)
    case 'TypeExpression':
      return types.typeOfType(symbols.typeOfNameAt(node.type))
    case 'Identifier':
      return typeOfIdentifier(node, symbols)
    case 'ErrorExpression':
      return types.unknown('unreadable')
  }
}

export const typeOfIdentifier = (node: Identifier, symbols: Symbols): Type => {
  const found = symbols.resolve(node)
  if (found === undefined) return symbols.types.unknown(node.name)
  if (!Array.isArray(found)) {
    const declaration = found as Declaration
    if (declaration.kind === 'variable') return declaration.type
    if (declaration.kind === 'builtin') {
      if (declaration.name === 'this' || declaration.name === 'super')
        return typeOfSelf(node, declaration.name, symbols)
      return declaration.type
    }
  }
  return typeOfFound(found, symbols)
}

const typeOfSelf = (node: Identifier, name: 'this' | 'super', symbols: Symbols): Type => {
  const contract = symbols.contractAt(node.start) as ContractSymbol | undefined
  if (contract === undefined) return symbols.types.unknown(name)
  return name === 'this' ? symbols.types.contract(contract) : symbols.types.super(contract)
}

/** The type of an expression that names these declarations. */
export const typeOfFound = (found: Declaration | readonly Declaration[], symbols: Symbols): Type => {
  const { types } = symbols
  const declaration = Array.isArray(found) ? (found[0] as Declaration) : (found as Declaration)
  switch (declaration.kind) {
    case 'variable':
    case 'builtin':
      return declaration.type
    case 'function': {
      return Array.isArray(found) ? types.overloads(found) : types.functions([declaration], false)
    }
    case 'contract':
    case 'enum':
    case 'userType':
      return types.typeOfType(typeOfDeclaration(declaration, [], symbols))
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

const typeOfLiteral = (node: Literal, symbols: Symbols): Type => {
  switch (node.literalKind) {
    case 'bool':
      return bool
    case 'string':
    case 'unicodeString':
      return symbols.types.stringLiteral(node.value, false)
    case 'hexString':
      return symbols.types.stringLiteral(node.value.replaceAll('_', ''), true)
    case 'hexNumber':
      return typeOfHex(node, symbols)
    case 'number':
      return typeOfNumber(node, symbols)
  }
}

/** Twenty bytes in hex are an address. */
const typeOfHex = (node: Literal, symbols: Symbols): Type => {
  const digits = node.value.slice(2).replaceAll('_', '')
  if (digits.length === 40) return symbols.fileAt(node.start)?.versions.isAtLeast(8) ? address : payableAddress
  if (!/^[0-9a-fA-F]{1,512}$/.test(digits)) return symbols.types.unknown('number')
  const scale = node.unit === null ? 1n : (units[node.unit] ?? 1n)
  return symbols.types.rational(BigInt(`0x${digits}`) * scale, 1n, digits.length % 2 === 0 ? digits.length / 2 : null)
}

const decimal = /^(\d*)\.?(\d*)(?:[eE](-?\d+))?$/

const typeOfNumber = (node: Literal, symbols: Symbols): Type => {
  const key = node.unit === null ? node.value : `${node.value} ${node.unit}`
  const { literals } = symbols.types
  let type = literals.get(key)
  if (type === undefined) {
    type = readNumber(node, symbols)
    literals.set(key, type)
  }
  return type
}

const readNumber = (node: Literal, symbols: Symbols): Type => {
  if (node.unit === null && isPlain(node.value)) return symbols.types.wholeNumber(node.value)
  const match = decimal.exec(node.value.includes('_') ? node.value.replaceAll('_', '') : node.value)
  if (match === null || node.value.length > 400) return symbols.types.unknown('number')
  const [, whole = '', fraction = '', exponent = '0'] = match
  const power = Number(exponent) - fraction.length
  if (Math.abs(power) > maxPower) return symbols.types.unknown('number')
  const digits = BigInt(whole + fraction || '0') * (node.unit === null ? 1n : (units[node.unit] ?? 1n))
  return power >= 0
    ? symbols.types.rational(digits * 10n ** BigInt(power), 1n, null)
    : rational(digits, 10n ** BigInt(-power), symbols)
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

const rational = (numerator: bigint, denominator: bigint, symbols: Symbols): Type => {
  if (denominator === 0n) return symbols.types.unknown('division by zero')
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(numerator, denominator * sign) || 1n
  return symbols.types.rational((sign * numerator) / divisor, (sign * denominator) / divisor, null)
}

const typeOfUnary = (node: Unary, symbols: Symbols): Type => {
  const operand = typeOf(node.operand, symbols)
  switch (node.operator) {
    case '!':
      return bool
    case 'delete':
      return emptyTuple
    case '-':
    case '~':
    case '+':
      if (operand.kind === 'rational') return unaryRational(node.operator, operand, symbols)
      if (operand.kind === 'userValue') return attachedOperator(node, operand, 1, symbols) ?? operand
  }
  return operand
}

const unaryRational = (operator: string, operand: RationalType, symbols: Symbols): Type => {
  if (operator === '-') return symbols.types.rational(-operand.numerator, operand.denominator, null)
  if (operator === '+') return operand
  return operand.denominator === 1n
    ? symbols.types.rational(~operand.numerator, 1n, null)
    : symbols.types.unknown('fraction')
}

const typeOfBinary = (node: Binary, symbols: Symbols): Type => {
  const left = typeOf(node.left, symbols)
  const right = typeOf(node.right, symbols)
  if (left.kind === 'userValue') return attachedOperator(node, left, 2, symbols) ?? left
  if (left.kind === 'rational' && right.kind === 'rational') return binaryRational(node.operator, left, right, symbols)
  switch (node.operator) {
    case '**':
    case '<<':
    case '>>':
    case '>>>':
      // A literal base takes the type of what it is raised or shifted by before 0.7, if that holds it, then 256 bits.
      return left.kind === 'rational' ? shiftBase(node, left, right, symbols) : left
  }
  return commonType(left, right, symbols) ?? mobileType(left, symbols)
}

const shiftBase = (node: Binary, left: RationalType, right: Type, symbols: Symbols): Type => {
  if (symbols.fileAt(node.start)?.versions.isAtLeast(7)) {
    return left.numerator < 0n ? int256 : uint256
  }
  return commonType(left, right, symbols) ?? mobileType(left, symbols)
}

const bits = (value: bigint): bigint => BigInt(value.toString(16).length * 4)

const binaryRational = (operator: string, a: RationalType, b: RationalType, symbols: Symbols): Type => {
  const { numerator: p, denominator: q } = a
  const { numerator: r, denominator: s } = b
  const isWhole = q === 1n && s === 1n
  switch (operator) {
    case '+':
      return isWhole ? symbols.types.rational(p + r, 1n, null) : rational(p * s + r * q, q * s, symbols)
    case '-':
      return isWhole ? symbols.types.rational(p - r, 1n, null) : rational(p * s - r * q, q * s, symbols)
    case '*':
      if (bits(p) + bits(r) > maxBits) return symbols.types.unknown('number')
      return isWhole ? symbols.types.rational(p * r, 1n, null) : rational(p * r, q * s, symbols)
    case '/':
      return rational(p * s, q * r, symbols)
    case '%':
      if (!isWhole || r === 0n) return symbols.types.unknown('number')
      return symbols.types.rational(p % r, 1n, null)
    case '**':
      return power(a, b, symbols)
  }
  return isWhole ? bitwise(operator, p, r, symbols) : symbols.types.unknown('number')
}

const power = (base: RationalType, exponent: RationalType, symbols: Symbols): Type => {
  const e = exponent.numerator
  if (exponent.denominator !== 1n) return symbols.types.unknown('number')
  const size = e < 0n ? -e : e
  const { numerator, denominator } = base
  if (size > maxBits || bits(numerator) * size > maxBits || bits(denominator) * size > maxBits) {
    const isTrivial = denominator === 1n && (numerator === 0n || numerator === 1n)
    if (!isTrivial) return symbols.types.unknown('number')
    return symbols.types.rational(numerator, 1n, null)
  }
  return e < 0n
    ? rational(denominator ** size, numerator ** size, symbols)
    : rational(numerator ** size, denominator ** size, symbols)
}

const bitwise = (operator: string, p: bigint, r: bigint, symbols: Symbols): Type => {
  const { types } = symbols
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

const typeOfIndex = (node: Expression & { kind: 'Index' }, symbols: Symbols): Type => {
  const object = typeOf(node.object, symbols)
  switch (object.kind) {
    case 'mapping':
      return object.value
    case 'array':
      return object.base
    case 'bytes':
    case 'fixedBytes':
      return bytes1
    case 'type': {
      const length = node.index === null ? null : symbols.constantValue(node.index)
      return symbols.types.typeOfType(
        symbols.types.array(
          object.actual,
          typeof length === 'bigint' ? length : node.index === null ? null : undefined,
          null,
        ),
      )
    }
    default:
      return symbols.types.unknown('element')
  }
}

const typeOfConditional = (then: Type, other: Type, symbols: Symbols): Type => {
  if (then === other) return mobileType(then, symbols)
  if (then.kind === 'tuple' && other.kind === 'tuple') return mobileType(then, symbols)
  return commonType(mobileType(then, symbols), mobileType(other, symbols), symbols) ?? mobileType(then, symbols)
}

const typeOfArrayLiteral = (elements: readonly Expression[], symbols: Symbols): Type => {
  let base: Type | undefined
  for (const element of elements) {
    const type = mobileType(typeOf(element, symbols), symbols)
    base = base === undefined ? type : (commonType(base, type, symbols) ?? base)
  }
  base ??= symbols.types.unknown('element')
  return symbols.types.array(withLocation(base, 'memory', symbols), BigInt(elements.length), 'memory')
}
