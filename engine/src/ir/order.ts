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

const childrenOf = (idom: readonly number[]): readonly (readonly number[] | undefined)[] => {
  const children = new Array<number[] | undefined>(idom.length)
  for (let b = 1; b < idom.length; b++) {
    const up = idom[b]!
    if (up < 0 || up === b) continue
    const known = children[up]
    if (known === undefined) children[up] = [b]
    else known.push(b)
  }
  return children
}

/** Which blocks a block leads to, or which lead to it, a bit for each. */
interface Reach {
  /** Numbers that the bits of one block take. */
  readonly width: number
  readonly bits: Int32Array
}

/** Each block after those that it leads to; where loops lead back, again until nothing is added. */
const reachOf = ({ blocks, loops }: Ir, direction: 'succs' | 'preds'): Reach => {
  const width = (blocks.length + 31) >> 5
  const reach: Reach = { width, bits: new Int32Array(blocks.length * width) }
  const order = direction === 'succs' ? blocks.toReversed() : blocks
  let isGrowing = true
  while (isGrowing) {
    isGrowing = false
    for (const block of order)
      for (const next of block[direction]) if (addReach(reach, block.id, next)) isGrowing = loops.length > 0
  }
  return reach
}

/** Whether the block leads to more than was known before, now that it leads to the next and to all that this one leads to. */
const addReach = ({ width, bits }: Reach, block: number, next: number): boolean => {
  let added = 0
  const at = block * width
  const from = next * width
  for (let i = 0; i < width; i++) {
    const known = bits[at + i]!
    const all = known | bits[from + i]! | (i === next >> 5 ? 1 << (next & 31) : 0)
    added |= known ^ all
    bits[at + i] = all
  }
  return added !== 0
}

const leadsTo = ({ width, bits }: Reach, a: number, b: number): boolean =>
  (bits[a * width + (b >> 5)]! & (1 << (b & 31))) !== 0

/** `a` stands before `b` in the order of the program, calls inlined; in a loop it may run after it all the same. */
export const isBefore = (a: Op, b: Op): boolean => a.id < b.id

export class Order {
  readonly #ir: Ir
  #idom: readonly number[] | null = null
  #ipdom: readonly number[] | null = null
  #tree: NumberedTree | null = null
  #below: readonly (readonly number[] | undefined)[] | null = null
  #reach: Reach | null = null
  #reachBack: Reach | null = null

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

  /** The blocks that only this one leads to, itself first: those below it in the tree of dominators. */
  *blocksUnder(block: number): Generator<number, void> {
    this.#below ??= childrenOf(this.idom)
    const work = [block]
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      yield at
      for (const child of this.#below[at]?.toReversed() ?? []) work.push(child)
    }
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

  /** `b` can run after `a` in one execution, also on a later round of a loop. */
  canFollow(a: Op, b: Op): boolean {
    if (a.block === b.block && isBefore(a, b)) return true
    // Without a loop nothing leads back.
    if (b.block <= a.block && this.#ir.loops.length === 0) return false
    if (b.block > a.block && this.blockDominates(a.block, b.block)) return true
    this.#reach ??= reachOf(this.#ir, 'succs')
    return leadsTo(this.#reach, a.block, b.block)
  }

  /** The blocks, in program order, that never run in one execution with this one. */
  *blocksOnOtherPaths(block: number): Generator<number, void> {
    this.#reach ??= reachOf(this.#ir, 'succs')
    this.#reachBack ??= reachOf(this.#ir, 'preds')
    const { width, bits } = this.#reach
    const { bits: back } = this.#reachBack
    for (let i = 0; i < width; i++) {
      let others = ~(bits[block * width + i]! | back[block * width + i]!)
      while (others !== 0) {
        const other = i * 32 + 31 - Math.clz32(others & -others)
        others &= others - 1
        if (other !== block && other < this.#ir.blocks.length) yield other
      }
    }
  }
}
