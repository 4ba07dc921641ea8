/** Intervals of numbers, and what types and the chain itself can hold. */
import type { Type } from '../model/index.ts'

export interface Interval {
  readonly min: bigint
  readonly max: bigint
}

export const uint256: Interval = { min: 0n, max: (1n << 256n) - 1n }
/** More than all ether, in wei, that will exist. */
export const ether: Interval = { min: 0n, max: 1n << 100n }
/** Gas of a block, which the protocol keeps to fewer bits. */
export const gas: Interval = { min: 0n, max: (1n << 63n) - 1n }
/** Seconds or blocks until long after us. */
export const time: Interval = { min: 0n, max: 1n << 40n }
/** Nobody can pay for more elements. */
export const length: Interval = { min: 0n, max: 1n << 48n }
export const address: Interval = { min: 0n, max: (1n << 160n) - 1n }
export const bool: Interval = { min: 0n, max: 1n }
const byte: Interval = { min: 0n, max: 255n }

/** One object per type, so that a value that can be anything is recognized by identity. */
const uintRanges = Array.from({ length: 32 }, (_, i): Interval => {
  const bits = 8n * BigInt(i + 1)
  return bits === 256n ? uint256 : { min: 0n, max: (1n << bits) - 1n }
})
const intRanges = Array.from({ length: 32 }, (_, i): Interval => {
  const half = 1n << (8n * BigInt(i + 1) - 1n)
  return { min: -half, max: half - 1n }
})

const intRange = (bits: number, signed: boolean): Interval => (signed ? intRanges : uintRanges)[bits / 8 - 1] ?? uint256

/** The numbers that a type can hold. */
export const rangeOf = (type: Type | null): Interval => {
  if (type === null) return uint256
  switch (type.kind) {
    case 'int':
      return intRange(type.bits, type.signed)
    case 'bool':
      return bool
    case 'address':
    case 'contract':
      return address
    case 'enum':
      return byte
    case 'fixedBytes':
      return intRange(type.size * 8, false)
    case 'userValue':
      return rangeOf(type.definition.underlying)
    default:
      return uint256
  }
}

export const zero: Interval = { min: 0n, max: 0n }
const one: Interval = { min: 1n, max: 1n }

export const constantInterval = (value: bigint): Interval =>
  value === 0n ? zero : value === 1n ? one : { min: value, max: value }

/** Of a fixed array it is written down. */
export const lengthOf = (type: Type | null): Interval => {
  if (type?.kind !== 'array' || type.length === null || type.length === undefined) return length
  return { min: type.length, max: type.length }
}

/** The smallest interval that holds both. */
export const join = (a: Interval, b: Interval): Interval => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
})

/** Bounds of the exact result, whatever the type can hold. */
export const exactBounds = (operator: string, a: Interval, b: Interval): Interval | null => {
  switch (operator) {
    case '+':
      return { min: a.min + b.min, max: a.max + b.max }
    case '-':
      return { min: a.min - b.max, max: a.max - b.min }
    case '*': {
      if (a.min >= 0n && b.min >= 0n) return { min: a.min * b.min, max: a.max * b.max }
      const products = [a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max]
      return { min: products.reduce((x, y) => (x < y ? x : y)), max: products.reduce((x, y) => (x > y ? x : y)) }
    }
    case '/':
      if (a.min < 0n || b.min < 0n) return null
      return { min: b.max === 0n ? 0n : a.min / b.max, max: b.min > 0n ? a.max / b.min : a.max }
    case '%':
      if (a.min < 0n || b.min < 0n) return null
      return { min: 0n, max: b.max > 0n && b.max - 1n < a.max ? b.max - 1n : a.max }
    case '&':
      if (a.min < 0n || b.min < 0n) return null
      return { min: 0n, max: a.max < b.max ? a.max : b.max }
    case '>>':
      if (b.min < 0n || b.min > 512n) return null
      return { min: a.min < 0n ? a.min >> b.min : 0n, max: a.max < 0n ? 0n : a.max >> b.min }
    case '<<':
      if (a.min < 0n || b.min < 0n || b.max > 255n) return null
      return { min: a.min << b.min, max: a.max << b.max }
    case '**':
      if (a.min < 0n || b.min < 0n || b.max > 300n || a.max > 1n << 40n) return null
      return { min: a.min ** b.min, max: a.max ** b.max }
    default:
      return null
  }
}

// Relations between values

/** As much of it as lies in the other. */
export const within = ({ min, max }: Interval, other: Interval): Interval => ({
  min: min < other.min ? other.min : min,
  max: max > other.max ? other.max : max,
})
