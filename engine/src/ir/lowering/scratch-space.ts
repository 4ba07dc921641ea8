import type { Op } from '../ir.ts'

/** What a slot is the hash of: a number that stands for the mapping, and the keys in the order of their bytes. */
export interface Hashed {
  readonly seed: Op
  readonly keys: readonly Op[]
}

const wordBytes = 32n
/** Behind it lies the pointer to free memory. */
const lastByte = 0x60n

/**
 * The words that assembly writes to the first bytes of memory to hash them at once, as in
 * `mstore(0x0c, SEED) mstore(0x00, caller()) sload(keccak256(0x0c, 0x20))`.
 */
export class ScratchSpace {
  readonly #words: Map<bigint, Op>
  readonly #hashes: Map<Op, Hashed>

  constructor(words: ReadonlyMap<bigint, Op> = new Map(), hashes: ReadonlyMap<Op, Hashed> = new Map()) {
    this.#words = new Map(words)
    this.#hashes = new Map(hashes)
  }

  copy(): ScratchSpace {
    return new ScratchSpace(this.#words, this.#hashes)
  }

  write(at: Op, value: Op): void {
    const from = at.kind === 'const' ? at.constant : null
    if (from === null) this.#words.clear()
    else if (from < lastByte) this.#words.set(from, value)
  }

  read(at: Op, length: Op): Hashed | null {
    if (at.kind !== 'const' || length.kind !== 'const' || at.constant === null || length.constant === null) return null
    const [start, end] = [at.constant, at.constant + length.constant]
    if (end > lastByte) return null
    const inside = [...this.#words]
      .filter(([from]) => from < end && from + wordBytes > start)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => value)
    const seeds = inside.filter(({ kind, constant }) => kind === 'const' && constant !== null && constant > 0n)
    const keys = inside.filter((value) => !seeds.includes(value))
    return seeds.length === 1 && keys.length > 0 ? { seed: seeds[0]!, keys } : null
  }

  remember(hash: Op, hashed: Hashed): void {
    this.#hashes.set(hash, hashed)
  }

  hashedAs(value: Op): Hashed | null {
    return this.#hashes.get(value) ?? null
  }
}
