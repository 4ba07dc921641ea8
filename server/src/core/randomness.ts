import { randomBytes, randomFillSync, randomInt } from 'node:crypto'

/** Where unpredictable values come from; handed in, so that a test can fix them. */
export interface Randomness {
  bytes(count: number): Buffer
  /** A uniform integer in [0, below). */
  integer(below: number): number
}

const POOL_BYTES = 8192
const MAX_POOLED_BYTES = 256
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Asking the generator costs more than the bytes: small amounts are cut from one answer, each byte given out once and wiped. */
function pooledBytes(count: number): Buffer {
  if (count > MAX_POOLED_BYTES) return randomBytes(count)
  if (used + count > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + count))
  pool.fill(0, used, used + count)
  used += count
  return bytes
}

/** The operating system's cryptographic generator. */
export const systemRandomness: Randomness = {
  bytes: pooledBytes,
  integer: (below) => randomInt(below),
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'

const pick = (randomness: Randomness, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomness.integer(alphabet.length)]).join('')

/** Letters and digits, 5.95 bits each. */
export const randomBase62 = (randomness: Randomness, length: number): string => pick(randomness, BASE62, length)

/** Decimal digits, leading zeros kept. */
export const randomDigits = (randomness: Randomness, length: number): string => pick(randomness, '0123456789', length)

export const randomHex = (randomness: Randomness, byteCount: number): string =>
  randomness.bytes(byteCount).toString('hex')

/** Lower-case base32 without look-alikes: one letter for each five bits. */
export function randomBase32(randomness: Randomness, length: number): string {
  let text = ''
  for (const byte of randomness.bytes(length)) text += CROCKFORD[byte & 31]
  return text
}

/** A fraction in [0, 1) for jitter; not for secrets. */
export const randomFraction = (randomness: Randomness): number => randomness.integer(2 ** 32) / 2 ** 32

/** A number in the digits of base 62, padded to a fixed length. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text
}

/** A whole number of milliseconds as fixed-length base32 that sorts like the number. */
export function toSortableBase32(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = CROCKFORD[rest % 32] + text
  return text
}
