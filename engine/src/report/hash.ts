import type { Units } from './units.ts'

/**
 * A non-cryptographic hash: two multiply-rotate lanes over the UTF-16 units of a text. The engine has no crypto module;
 * fingerprints need to be stable and spread, not secret.
 */
export interface Hash {
  readonly a: number
  readonly b: number
}

export const hash = ({ data, length }: Units): Hash => {
  let a = 0x9e3779b9 ^ length
  let b = 0x243f6a88
  for (let i = 0; i < length; i++) {
    const unit = data[i]!
    a = Math.imul(a ^ unit, 0x85ebca6b)
    a = (a << 13) | (a >>> 19)
    b = Math.imul(b ^ unit, 0xc2b2ae35)
    b = (b << 15) | (b >>> 17)
  }
  return { a: mix(a), b: mix(b ^ a) }
}

/** The hash of two things in this order. */
export const join = (first: Hash, second: Hash): Hash => {
  const a = mix(Math.imul(first.a, 0x27d4eb2f) ^ second.a)
  return { a, b: mix(Math.imul(first.b, 0x165667b1) ^ second.b ^ a) }
}

/** 128 bits in hex, made at once: joining the digits of each lane takes longer than all the rest. */
export const toHex = ({ a, b }: Hash): string => {
  const c = mix(a ^ 0xb7e15162)
  const d = mix(b ^ 0xdeadbeef ^ a)
  // biome-ignore format: a lane a line
  return String.fromCharCode(
    digits[a >>> 28]!, digits[(a >>> 24) & 15]!, digits[(a >>> 20) & 15]!, digits[(a >>> 16) & 15]!, digits[(a >>> 12) & 15]!, digits[(a >>> 8) & 15]!, digits[(a >>> 4) & 15]!, digits[a & 15]!,
    digits[b >>> 28]!, digits[(b >>> 24) & 15]!, digits[(b >>> 20) & 15]!, digits[(b >>> 16) & 15]!, digits[(b >>> 12) & 15]!, digits[(b >>> 8) & 15]!, digits[(b >>> 4) & 15]!, digits[b & 15]!,
    digits[c >>> 28]!, digits[(c >>> 24) & 15]!, digits[(c >>> 20) & 15]!, digits[(c >>> 16) & 15]!, digits[(c >>> 12) & 15]!, digits[(c >>> 8) & 15]!, digits[(c >>> 4) & 15]!, digits[c & 15]!,
    digits[d >>> 28]!, digits[(d >>> 24) & 15]!, digits[(d >>> 20) & 15]!, digits[(d >>> 16) & 15]!, digits[(d >>> 12) & 15]!, digits[(d >>> 8) & 15]!, digits[(d >>> 4) & 15]!, digits[d & 15]!,
  )
}

/** Character codes of 0 to f. */
const digits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

const mix = (lane: number): number => {
  let x = lane
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}
