import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../core/secrets.ts'

/**
 * Time-based one-time passwords by RFC 6238 with what every authenticator app understands: SHA-1, six digits, thirty seconds. SHA-1 is
 * sound here, because a collision of it is no forgery of an HMAC.
 */
const STEP_SECONDS = 30
const DIGITS = 6
/** A clock may be off by one step, and a person types. */
const TOLERANCE = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding: how apps expect a secret to be typed. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(held >>> (bits - 5)) & 31]
    held &= 0xff
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text
}

export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / STEP_SECONDS)

/** RFC 4226, 5.3. */
export function codeOfStep(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is, near `moment`; every comparison is made, so that time does not tell which one matched. */
export function findStep(secret: Uint8Array, code: string, moment: Date): number | undefined {
  const now = stepAt(moment)
  const near = Array.from({ length: 2 * TOLERANCE + 1 }, (_, index) => now - TOLERANCE + index)
  return near.filter((step) => isEqualSecret(codeOfStep(secret, step), code)).at(-1)
}

/** What an app reads from a picture. */
export function totpUri(secret: Uint8Array, account: string, issuer = 'Assay'): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`
}
