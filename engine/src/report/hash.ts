/**
 * A non-cryptographic hash: two multiply-rotate lanes over the UTF-16 units of a text. The engine has no crypto module;
 * fingerprints need to be stable and spread, not secret.
 */
export interface Hash {
  readonly a: number
  readonly b: number
}

export const hash = (text: string): Hash => {
  let a = 0x9e3779b9 ^ text.length
  let b = 0x243f6a88
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
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

/** 128 bits in hex. */
export const toHex = ({ a, b }: Hash): string =>
  laneToHex(a) + laneToHex(b) + laneToHex(mix(a ^ 0xb7e15162)) + laneToHex(mix(b ^ 0xdeadbeef ^ a))

const bytes: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const laneToHex = (lane: number): string =>
  bytes[lane >>> 24]! + bytes[(lane >>> 16) & 255]! + bytes[(lane >>> 8) & 255]! + bytes[lane & 255]!

const mix = (lane: number): number => {
  let x = lane
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}
