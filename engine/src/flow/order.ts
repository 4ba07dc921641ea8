/** In which order the operations of a flow can run. */
import { immediateDominators, immediatePostDominators } from './dominators.ts'
import type { Ir, Op } from './ir.ts'

export class Order {
  readonly #ir: Ir
  #idom: Int32Array | null = null
  #ipdom: Int32Array | null = null
  readonly #reach: (Uint8Array | undefined)[] = []

  constructor(ir: Ir) {
    this.#ir = ir
  }

  get idom(): Int32Array {
    this.#idom ??= immediateDominators(this.#ir.blocks)
    return this.#idom
  }

  get ipdom(): Int32Array {
    this.#ipdom ??= immediatePostDominators(this.#ir.blocks, this.#ir.exits)
    return this.#ipdom
  }

  blockDominates(a: number, b: number): boolean {
    const idom = this.idom
    let x = b
    while (x > a) x = idom[x]!
    return x === a
  }

  /** Every way to `b` goes through `a` first. */
  dominates(a: Op, b: Op): boolean {
    if (a.block === b.block) return a.id <= b.id
    return this.blockDominates(a.block, b.block)
  }

  /** Every way from `a` that does not revert goes through `b`. */
  isFollowedBy(a: Op, b: Op): boolean {
    if (a.block === b.block) return a.id <= b.id
    const post = this.ipdom
    let x = a.block
    while (x !== -1 && x < b.block) x = post[x]!
    return x === b.block
  }

  #reachable(block: number): Uint8Array {
    const known = this.#reach[block]
    if (known !== undefined) return known
    const seen = new Uint8Array(this.#ir.blocks.length)
    const work = [...this.#ir.blocks[block]!.succs]
    while (work.length > 0) {
      const next = work.pop()!
      if (seen[next] === 1) continue
      seen[next] = 1
      for (const succ of this.#ir.blocks[next]!.succs) work.push(succ)
    }
    this.#reach[block] = seen
    return seen
  }

  /** `b` can run after `a` in one execution, also on a later round of a loop. */
  canFollow(a: Op, b: Op): boolean {
    if (a.block === b.block && b.id > a.id) return true
    // Without a loop nothing leads back.
    if (b.block <= a.block && this.#ir.loops.length === 0) return false
    if (b.block > a.block && this.blockDominates(a.block, b.block)) return true
    return this.#reachable(a.block)[b.block] === 1
  }
}
