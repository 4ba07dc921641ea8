/**
 * Dominators and post-dominators in one pass each.
 *
 * Lowering numbers blocks in program order and makes reducible graphs only, so every edge but the loops' back edges
 * goes from a lower to a higher number, and back edges cannot change who dominates whom. One pass in order with the
 * intersection of Cooper, Harvey and Kennedy is therefore exact. Post-dominance ignores paths that revert: they leave
 * no trace; a path back to the head of a loop counts as one that leaves the loop.
 */
import type { BasicBlock } from './ir.ts'

/** Immediate dominator of each block; the entry is its own; -1 for blocks that nothing reaches. */
export const immediateDominators = (blocks: readonly BasicBlock[]): readonly number[] => {
  const idom = new Array<number>(blocks.length).fill(0)
  for (let b = 1; b < blocks.length; b++) {
    const { preds } = blocks[b]!
    if (preds.length > fewPreds) {
      idom[b] = commonDominator(idom, preds, b)
      continue
    }
    let found = -1
    for (let i = 0; i < preds.length; i++) {
      const pred = preds[i]!
      if (pred >= b || idom[pred] === -1) continue
      found = found === -1 ? pred : intersect(idom, found, pred)
    }
    idom[b] = found
  }
  return idom
}

/** Where more ways meet, each way up is gone once. */
const fewPreds = 4

/** What dominates all of `preds`: the ways up from them are marked, and who comes to a marked block knows the rest. */
const commonDominator = (idom: readonly number[], preds: readonly number[], b: number): number => {
  const below = new Set<number>()
  let found = -1
  for (const pred of preds) {
    if (pred >= b || idom[pred] === -1) continue
    let up = pred
    if (found === -1) found = pred
    while (up !== found && !below.has(up)) {
      if (up > found) {
        below.add(up)
        up = idom[up]!
      } else {
        below.add(found)
        found = idom[found]!
      }
    }
  }
  return found
}

const intersect = (idom: readonly number[], a: number, b: number): number => {
  let x = a
  let y = b
  while (x !== y) {
    while (x > y) x = idom[x]!
    while (y > x) y = idom[y]!
  }
  return x
}

/** Immediate post-dominator of each block; `blocks.length` stands for the end; -1 where every path reverts. */
export const immediatePostDominators = (blocks: readonly BasicBlock[], exits: readonly number[]): readonly number[] => {
  const end = blocks.length
  const post = new Array<number>(end + 1).fill(0)
  for (let b = 0; b < end; b++) post[b] = -1
  post[end] = end
  for (const exit of exits) post[exit] = end
  for (let b = end - 1; b >= 0; b--) {
    let found = post[b]!
    for (const succ of blocks[b]!.succs) {
      if (succ <= b) found = afterLoop(blocks, post, succ, b, found)
      else if (post[succ] !== -1) found = found === -1 ? succ : intersectUp(post, found, succ)
    }
    post[b] = found
  }
  return post
}

/** Who goes back to the head of a loop comes out of it by one of its exits, unless it runs out of gas. */
const afterLoop = (
  blocks: readonly BasicBlock[],
  post: readonly number[],
  head: number,
  last: number,
  known: number,
): number => {
  let found = known
  for (let b = head; b <= last; b++) {
    for (const succ of blocks[b]!.succs) {
      if (succ <= last || post[succ] === -1) continue
      found = found === -1 ? succ : intersectUp(post, found, succ)
    }
  }
  return found
}

const intersectUp = (post: readonly number[], a: number, b: number): number => {
  let x = a
  let y = b
  while (x !== y) {
    while (x < y) x = post[x]!
    while (y < x) y = post[y]!
  }
  return x
}
