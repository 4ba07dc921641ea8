/** In which order the operations of a flow can run. */
import { immediateDominators, immediatePostDominators } from './dominators.ts'
import type { Ir, Op } from './ir.ts'

const manyBlocks = 48

interface NumberedTree {
  /** The place of a block in a walk of the tree; -1 for blocks that nothing reaches. */
  readonly first: readonly number[]
  /** How many places it takes with everything below it. */
  readonly size: readonly number[]
}

/** A dominator has a lower number than what it dominates, so no walk is needed. */
const numberTree = (idom: readonly number[]): NumberedTree => {
  const size = new Array<number>(idom.length).fill(1)
  for (let b = idom.length - 1; b > 0; b--) if (idom[b]! >= 0) size[idom[b]!]! += size[b]!
  const first = new Array<number>(idom.length).fill(-1)
  const next = new Array<number>(idom.length).fill(0)
  first[0] = 0
  next[0] = 1
  for (let b = 1; b < idom.length; b++) {
    const up = idom[b]!
    if (up < 0) continue
    first[b] = next[up]!
    next[up]! += size[b]!
    next[b] = first[b]! + 1
  }
  return { first, size }
}

/** `a` stands before `b` in the order of the program, calls inlined; in a loop it may run after it all the same. */
export const isBefore = (a: Op, b: Op): boolean => a.id < b.id

export class Order {
  readonly #ir: Ir
  #idom: readonly number[] | null = null
  #ipdom: readonly number[] | null = null
  #tree: NumberedTree | null = null
  readonly #reach: (readonly number[] | undefined)[] = []

  constructor(ir: Ir) {
    this.#ir = ir
  }

  get idom(): readonly number[] {
    this.#idom ??= immediateDominators(this.#ir.blocks)
    return this.#idom
  }

  get ipdom(): readonly number[] {
    this.#ipdom ??= immediatePostDominators(this.#ir.blocks, this.#ir.exits)
    return this.#ipdom
  }

  blockDominates(a: number, b: number): boolean {
    const idom = this.idom
    if (idom.length > manyBlocks) return this.#isWithin(a, b)
    let x = b
    while (x > a) x = idom[x]!
    return x === a
  }

  /** In a long flow the way up is long too: there the tree of dominators is numbered, and what is below lies in a range. */
  #isWithin(a: number, b: number): boolean {
    if (a === b) return true
    this.#tree ??= numberTree(this.idom)
    const { first, size } = this.#tree
    return first[b]! >= 0 && first[b]! > first[a]! && first[b]! < first[a]! + size[a]!
  }

  /** Every way to `b` goes through `a` first. */
  dominates(a: Op, b: Op): boolean {
    if (a.block === b.block) return !isBefore(b, a)
    return this.blockDominates(a.block, b.block)
  }

  /** Every way from `a` that does not revert goes through `b`. */
  isFollowedBy(a: Op, b: Op): boolean {
    if (a.block === b.block) return !isBefore(b, a)
    const post = this.ipdom
    let x = a.block
    while (x !== -1 && x < b.block) x = post[x]!
    return x === b.block
  }

  #reachable(block: number): readonly number[] {
    const known = this.#reach[block]
    if (known !== undefined) return known
    const seen = new Array<number>(this.#ir.blocks.length).fill(0)
    const work = [...this.#ir.blocks[block]!.succs]
    while (work.length > 0) {
      const next = work.pop()!
      if (seen[next] === 1) continue
      seen[next] = 1
      const { succs } = this.#ir.blocks[next]!
      for (let i = 0; i < succs.length; i++) work.push(succs[i]!)
    }
    this.#reach[block] = seen
    return seen
  }

  /** `b` can run after `a` in one execution, also on a later round of a loop. */
  canFollow(a: Op, b: Op): boolean {
    if (a.block === b.block && isBefore(a, b)) return true
    // Without a loop nothing leads back.
    if (b.block <= a.block && this.#ir.loops.length === 0) return false
    if (b.block > a.block && this.blockDominates(a.block, b.block)) return true
    return this.#reachable(a.block)[b.block] === 1
  }
}
