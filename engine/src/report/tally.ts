import type { Hash } from './hash.ts'

/** Each slot of the table holds both lanes of a hash and how often it was counted. */
const width = 3
const ordinarySlots = 1_024

/** Kept between scans of ordinary files; only the largest reports make their own. */
const spare = new Int32Array(ordinarySlots * width)

/** Counts equal hashes. One at a time: the next one takes over the table. */
export class Tally {
  private readonly table: Int32Array
  private readonly mask: number

  /** For at most `count` hashes: more than half of the slots stay free, so that searches are short. */
  constructor(count: number) {
    let slots = 16
    while (slots <= count * 2) slots *= 2
    this.mask = slots - 1
    this.table = slots <= ordinarySlots ? spare.fill(0, 0, slots * width) : new Int32Array(slots * width)
  }

  /** How often this hash was counted before. */
  count({ a, b }: Hash): number {
    const { table, mask } = this
    let slot = a & mask
    for (;;) {
      const at = slot * width
      const times = table[at + 2]!
      if (times === 0 || (table[at] === a && table[at + 1] === b)) {
        table[at] = a
        table[at + 1] = b
        table[at + 2] = times + 1
        return times
      }
      slot = (slot + 1) & mask
    }
  }
}
