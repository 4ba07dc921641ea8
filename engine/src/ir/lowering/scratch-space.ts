import type { Op } from '../ir.ts'

/** What a slot is the hash of: a number that stands for the mapping, and the keys in the order of their bytes. */
export interface Hashed {
  readonly seed: Op
  readonly keys: readonly Op[]
}

const wordBytes = 32n
/** Behind it lies the pointer to free memory. */
const lastByte = 0x60n

const isSeed = ({ kind, constant }: Op): boolean => kind === 'const' && constant !== null && constant > 0n

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

  /** The words that lie there, in the order of their bytes. */
  read(at: Op, length: Op): readonly Op[] {
    if (at.kind !== 'const' || length.kind !== 'const' || at.constant === null || length.constant === null) return []
    const [start, end] = [at.constant, at.constant + length.constant]
    if (end > lastByte) return []
    return [...this.#words]
      .filter(([from]) => from < end && from + wordBytes > start)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => value)
  }

  /** One number and something else name an entry of a mapping. */
  remember(hash: Op, words: readonly Op[]): void {
    const seeds = words.filter(isSeed)
    const keys = words.filter((value) => !isSeed(value))
    if (seeds.length === 1 && keys.length > 0) this.#hashes.set(hash, { seed: seeds[0]!, keys })
  }

  hashedAs(value: Op): Hashed | null {
    return this.#hashes.get(value) ?? null
  }
}
