/**
 * Points of a flow between two of its guards. Each knows what the point before it knows and one guard more, so what follows
 * from guards is gathered along that chain, guard by guard, and shared by points that add nothing.
 */
import type { CallOp, Op } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import type { Relation } from './relations.ts'

/** What holds at one point of the program: what held before it, and one condition or call more. Facts are made on request. */
export interface Known {
  readonly base: Known | null
  readonly condition: Op | null
  readonly polarity: boolean
  readonly op: Op | null
  /** The call of a guard that was passed last, where it is no condition. */
  readonly call: CallOp | null
  /** What its own condition says, without what held before. */
  own: readonly Fact[] | null
  facts: readonly Fact[] | null
  /** Whose facts these are, where a point adds none of its own. */
  source: Known | null
  relations: readonly Relation[] | null
}

/** What the guards up to a point give, in their order; `known` remembers it for every point on the path. */
export const gatherUpTo = <T>(
  point: Known,
  known: Map<Known, readonly T[]>,
  own: (point: Known) => readonly T[],
): readonly T[] => {
  const missing: Known[] = []
  let at: Known | null = point
  for (; at !== null && !known.has(at); at = at.base) missing.push(at)
  let all: readonly T[] = at === null ? [] : known.get(at)!
  for (let i = missing.length - 1; i >= 0; i--) {
    const added = own(missing[i]!)
    if (added.length > 0) all = [...all, ...added]
    known.set(missing[i]!, all)
  }
  return all
}
