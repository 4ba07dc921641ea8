import type { Op } from '../ir.ts'

/** What a slot is the hash of: a number that stands for the mapping, and the keys in the order of their bytes. */
export interface Hashed {
  readonly seed: Op
  readonly keys: readonly Op[]
}

const wordBytes = 32n
/** Behind it lies the pointer to free memory. */
const lastByte = 0x60n

/** Structs that are signed have fewer words, and nobody fills so many at once. */
const mostWords = 64
const mostPointers = 64

const isSeed = ({ kind, constant }: Op): boolean => kind === 'const' && constant !== null && constant > 0n

/** `add(m, 32)` lies 32 bytes behind `m`. */
const behindPointer = (at: Op): { readonly pointer: Op; readonly offset: bigint } => {
  if (at.kind === 'bin' && at.operator === '+')
    for (const [pointer, added] of [at.args, [at.args[1], at.args[0]]] as const)
      if (added.kind === 'const' && added.constant !== null) return { pointer, offset: added.constant }
  return { pointer: at, offset: 0n }
}

/**
 * The words that assembly writes to the first bytes of memory to hash them at once, as in
 * `mstore(0x0c, SEED) mstore(0x00, caller()) sload(keccak256(0x0c, 0x20))`.
 */
export class ScratchSpace {
  readonly #words: Map<bigint, Op>
  readonly #hashes: Map<Op, Hashed>
  /** Behind a pointer: `mstore(add(m, 32), value)`. */
  readonly #behind: Map<Op, ReadonlyMap<bigint, Op>>

  constructor(
    words: ReadonlyMap<bigint, Op> = new Map(),
    hashes: ReadonlyMap<Op, Hashed> = new Map(),
    behind: ReadonlyMap<Op, ReadonlyMap<bigint, Op>> = new Map(),
  ) {
    this.#words = new Map(words)
    this.#hashes = new Map(hashes)
    this.#behind = new Map(behind)
  }

  copy(): ScratchSpace {
    return new ScratchSpace(this.#words, this.#hashes, this.#behind)
  }

  write(at: Op, value: Op): void {
    const from = at.kind === 'const' ? at.constant : null
    if (from === null) {
      this.#words.clear()
      this.#writeBehind(at, value)
    } else if (from < lastByte) this.#words.set(from, value)
  }

  #writeBehind(at: Op, value: Op): void {
    const { pointer, offset } = behindPointer(at)
    const words = this.#behind.get(pointer)
    if (words === undefined ? this.#behind.size < mostPointers : words.size < mostWords)
      this.#behind.set(pointer, new Map([...(words ?? []), [offset, value]]))
  }

  /** The words behind a pointer; of a length that is only known when it runs, the first. */
  readBehind(at: Op, length: Op): readonly Op[] {
    const { pointer, offset } = behindPointer(at)
    const end = offset + (length.kind === 'const' && length.constant !== null ? length.constant : 1n)
    return [...(this.#behind.get(pointer) ?? [])]
      .filter(([from]) => from < end && from + wordBytes > offset)
      .map(([, value]) => value)
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
