import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * The passwords that breaches contain most often, as a Bloom filter: half a megabyte answers for 200,000 of them without holding one. It never
 * misses one of them, and takes one in about 16,000 others for one, which costs its owner another try. Compared without regard to
 * case, since attackers try those spellings first too.
 */
export interface CommonPasswords {
  has(password: string): boolean
}

/** Chance of a false alarm is two to the minus this, with as many bits for each password as a filter of that kind wants. */
const PROBES = 14
const BITS_EACH = PROBES / Math.LN2

/** `filterFile` is read when the first password is requested. */
export function openCommonPasswords(filterFile: string): CommonPasswords {
  let filter: Uint8Array | undefined
  return {
    has(password) {
      filter ??= readFileSync(filterFile)
      const bits = filter
      return placesOf(password, bits.length * 8).every((place) => ((bits[place >> 3] ?? 0) >> (place & 7)) & 1)
    },
  }
}

export function makeFilter(passwords: readonly string[]): Uint8Array {
  const filter = new Uint8Array(Math.ceil((passwords.length * BITS_EACH) / 8))
  for (const password of passwords)
    for (const place of placesOf(password, filter.length * 8))
      filter[place >> 3] = (filter[place >> 3] ?? 0) | (1 << (place & 7))
  return filter
}

/** Two halves of one hash give as many places as are wanted (Kirsch and Mitzenmacher). */
function placesOf(password: string, bits: number): number[] {
  const hash = createHash('sha256').update(password.toLowerCase().normalize('NFC')).digest()
  const [first, step] = [hash.readUIntBE(0, 6), hash.readUIntBE(6, 5)]
  return Array.from({ length: PROBES }, (_, n) => (first + n * step) % bits)
}
