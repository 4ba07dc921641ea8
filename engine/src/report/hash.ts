/**
 * A 128-bit non-cryptographic hash in hex: four multiply-rotate lanes over UTF-16 units with a final mix.
 * The engine has no crypto module; fingerprints need to be stable and spread, not secret.
 */
export const hash = (text: string): string => {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = 0xb7e15162
  let d = 0xdeadbeef
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x85ebca6b)
    a = (a << 13) | (a >>> 19)
    b = Math.imul(b ^ unit ^ a, 0xc2b2ae35)
    b = (b << 15) | (b >>> 17)
    c = Math.imul(c ^ unit ^ b, 0x27d4eb2f)
    c = (c << 11) | (c >>> 21)
    d = Math.imul(d ^ unit ^ c, 0x165667b1)
    d = (d << 17) | (d >>> 15)
  }
  return mix(a ^ text.length) + mix(b ^ a) + mix(c ^ b) + mix(d ^ c)
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const mix = (lane: number): string => {
  let x = lane
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  x ^= x >>> 16
  return bytes[x >>> 24]! + bytes[(x >>> 16) & 255]! + bytes[(x >>> 8) & 255]! + bytes[x & 255]!
}
