/**
 * A 128-bit non-cryptographic hash in hex: four multiply-rotate lanes over the UTF-16 units of all parts, with a final
 * mix. The engine has no crypto module; fingerprints need to be stable and spread, not secret.
 */
export const hash = (...parts: readonly string[]): string => {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = 0xb7e15162
  let d = 0xdeadbeef
  let length = 0
  for (let p = 0; p < parts.length; p++) {
    const text = parts[p]!
    length += text.length
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
  }
  return hex(mix(a ^ length)) + hex(mix(b ^ a)) + hex(mix(c ^ b)) + hex(mix(d ^ c))
}

const mix = (lane: number): number => {
  let x = lane
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

/** Eight digits at once: joining eight strings takes longer than all the rest. */
const hex = (x: number): string =>
  String.fromCharCode(
    digit(x >>> 28),
    digit((x >>> 24) & 15),
    digit((x >>> 20) & 15),
    digit((x >>> 16) & 15),
    digit((x >>> 12) & 15),
    digit((x >>> 8) & 15),
    digit((x >>> 4) & 15),
    digit(x & 15),
  )

const digit = (value: number): number => (value < 10 ? 48 + value : 87 + value)
