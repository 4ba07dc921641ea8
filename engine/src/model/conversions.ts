import type { RationalType, Type } from './declaration.ts'
import type { Symbols } from './symbols.ts'
import { bytes, fixedBytes, int, string, uint, uint256 } from './type-table.ts'

/** The type a literal takes when it is stored: the smallest that holds it; storage references stay what they are. */
export const mobileType = (type: Type, symbols: Symbols): Type => {
  switch (type.kind) {
    case 'rational':
      return smallestInt(type) ?? symbols.types.unknown('fraction')
    case 'stringLiteral':
      return string('memory')
    case 'tuple':
      return symbols.types.tuple(
        type.elements.map((element) => (element === null ? null : mobileType(element, symbols))),
      )
    default:
      return type
  }
}

export const smallestInt = (type: RationalType): Type | undefined => {
  if (type.denominator !== 1n) return undefined
  const { numerator } = type
  for (let bits = 8; bits <= 256; bits += 8) {
    if (numerator >= 0n ? numerator >> BigInt(bits) === 0n : numerator >= -(1n << BigInt(bits - 1))) {
      return numerator >= 0n ? uint(bits) : int(bits)
    }
  }
  return undefined
}

const fits = (value: bigint, bits: number, signed: boolean): boolean =>
  signed
    ? value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits - 1)
    : value >= 0n && value >> BigInt(bits) === 0n

/** Whether a value of one type may stand where the other is expected, without a written conversion. */
export const converts = (from: Type, to: Type): boolean => {
  if (from === to || from.kind === 'unknown' || to.kind === 'unknown') return true
  switch (from.kind) {
    case 'rational':
      return rationalConverts(from, to)
    case 'int':
      return (
        to.kind === 'int' &&
        (from.signed === to.signed ? from.bits <= to.bits : to.signed && !from.signed && from.bits < to.bits)
      )
    case 'stringLiteral':
      if (to.kind === 'fixedBytes') return literalBytes(from.value, from.hex) <= to.size
      return to.kind === 'bytes' || (to.kind === 'string' && !from.hex)
    case 'address':
      return to.kind === 'address' && (from.payable || !to.payable)
    case 'contract':
      if (to.kind === 'contract') return from.contract.linearization.includes(to.contract)
      // Before 0.5 a contract was an address wherever one was expected.
      return to.kind === 'address' && !from.contract.file.versions.isAtLeast(5)
    case 'fixedBytes':
      return to.kind === 'fixedBytes' && from.size <= to.size
    case 'bytes':
    case 'string':
      return to.kind === from.kind && locationConverts(from.location, to.location)
    case 'array':
      return (
        to.kind === 'array' &&
        locationConverts(from.location, to.location) &&
        sameIgnoringLocation(from.base, to.base) &&
        (from.length === to.length || from.length === undefined || to.length === undefined || to.length === null) &&
        (to.location === 'storage' || from.length === to.length || to.length === undefined || from.length === undefined)
      )
    case 'struct':
      return to.kind === 'struct' && from.struct === to.struct && locationConverts(from.location, to.location)
    case 'function':
      return to.kind === 'function' && functionConverts(from, to)
    case 'tuple':
      return (
        to.kind === 'tuple' &&
        from.elements.length === to.elements.length &&
        from.elements.every((element, i) => {
          const target = to.elements[i]
          return element === null || !target || converts(element, target)
        })
      )
    default:
      return false
  }
}

/** Anything may be copied to memory or to a storage variable; a storage pointer or calldata takes only its own kind. */
const locationConverts = (from: string | null, to: string | null): boolean =>
  to === null || from === null || from === to || to === 'memory'

const rationalConverts = (from: RationalType, to: Type): boolean => {
  if (to.kind === 'int') return from.denominator === 1n && fits(from.numerator, to.bits, to.signed)
  if (to.kind === 'fixedBytes') return from.numerator === 0n || from.hexBytes === to.size
  return to.kind === 'fixedPoint' || to.kind === 'rational'
}

const literalBytes = (value: string, hex: boolean): number => {
  if (hex) return Math.ceil(value.length / 2)
  let count = 0
  for (let i = 0; i < value.length; i++) count += value.charCodeAt(i) < 0x80 ? 1 : value.charCodeAt(i) < 0x800 ? 2 : 3
  return count
}

const functionConverts = (from: Type & { kind: 'function' }, to: Type & { kind: 'function' }): boolean =>
  from.params.length === to.params.length && from.returns.length === to.returns.length

/** Equal but for where they live; `address payable` and `address` differ. */
export const sameIgnoringLocation = (a: Type, b: Type): boolean => {
  if (a === b) return true
  switch (a.kind) {
    case 'bytes':
    case 'string':
      return a.kind === b.kind
    case 'struct':
      return b.kind === 'struct' && a.struct === b.struct
    case 'array':
      return b.kind === 'array' && a.length === b.length && sameIgnoringLocation(a.base, b.base)
    case 'unknown':
      return b.kind === 'unknown' && a.reason === b.reason
    default:
      return false
  }
}

/** The type both operands of an arithmetic or comparison take; undefined when there is none. */
export const commonType = (left: Type, right: Type, symbols: Symbols): Type | undefined => {
  if (left === right) return left
  if (left.kind === 'unknown') return right.kind === 'rational' ? left : right
  if (right.kind === 'unknown') return left.kind === 'rational' ? right : left
  if (left.kind === 'rational' && right.kind === 'rational') return smallestOf(left, right, symbols)
  if (left.kind === 'rational') return rationalWith(left, right, symbols)
  if (right.kind === 'rational') return rationalWith(right, left, symbols)
  if (left.kind === 'stringLiteral' && right.kind === 'stringLiteral') return string('memory')
  if (converts(left, right)) return right
  if (converts(right, left)) return left
  return undefined
}

const rationalWith = (literal: RationalType, other: Type, symbols: Symbols): Type | undefined => {
  if (converts(literal, other)) return other
  const mobile = mobileType(literal, symbols)
  return converts(other, mobile) ? mobile : undefined
}

const smallestOf = (left: RationalType, right: RationalType, symbols: Symbols): Type | undefined => {
  const a = mobileType(left, symbols)
  const b = mobileType(right, symbols)
  return converts(a, b) ? b : converts(b, a) ? a : uint256
}

export const literalAsBytes = (type: Type): Type => {
  if (type.kind !== 'stringLiteral') return type
  const size = literalBytes(type.value, type.hex)
  return size > 0 && size <= 32 ? fixedBytes(size) : bytes('memory')
}
