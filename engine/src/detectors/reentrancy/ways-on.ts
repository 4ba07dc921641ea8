import { type Fact, guardsAt } from '../../facts/index.ts'
import { type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'

/**
 * Whether `later` can run after `from`, knowing what was tested on the way to `from`: `bool done = run(); if (done) return;`, where
 * the helper made the call only if it answers true. In a loop a test may come out otherwise in the next round.
 */
export const canFollowFrom = (flow: Flow, from: Op, later: Op): boolean => {
  if (flow.loopMarkAround(from) !== null) return true
  const known = guardsAt(flow, from)
  const seen = new Set<number>()
  const work = waysOn(flow, from.block, known)
  if (from.block === later.block) return true
  while (work.length > 0) {
    const block = work.pop()!
    if (block === later.block) return true
    if (seen.has(block)) continue
    seen.add(block)
    work.push(...waysOn(flow, block, known))
  }
  return false
}

const waysOn = ({ blocks }: Flow, block: number, known: readonly Fact[]): number[] => {
  const { condition, succs } = blocks[block]!
  if (condition === null || succs.length !== 2) return [...succs]
  const fact = known.find((each) => isSameTest(each.condition, condition))
  return fact === undefined ? [...succs] : [succs[fact.polarity ? 0 : 1]!]
}

/** The very value, or the same comparison of values that nothing changes any more: not of balances, which a call does. */
const isSameTest = (one: Op, other: Op): boolean => {
  const [a, b] = [stripCasts(one), stripCasts(other)]
  if (a === b) return true
  return a.kind === 'bin' && sameValue(a, b) && a.args.every(isSettled) && b.args.every(isSettled)
}

const isSettled = (value: Op): boolean => {
  const { kind } = stripCasts(value)
  return kind !== 'builtin' && kind !== 'bin' && kind !== 'un'
}
