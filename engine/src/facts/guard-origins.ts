/**
 * What the conditions on the path to an operation rest on. Each point of a flow adds one condition to the point before it, so the
 * answer is kept by point: for every operation it costs as much as for the last.
 */

import type { Flow, Op } from '../ir/index.ts'
import { type DependencyOptions, dependsOn } from './dependencies.ts'
import { factsAddedAt, pointAt } from './guards.ts'
import type { Known } from './points.ts'

type Predicate = (op: Op) => boolean

/** The condition of a point or of one before it that rests on such a value; null when none does. */
type Origins = Map<Known, Op | null>

/** By predicate; null where no operation of the flow satisfies it, so that no condition can rest on one. */
type ByPredicate = Map<Predicate, Origins | null>

const createOrigins = (): { plain: ByPredicate; keyed: ByPredicate } => ({
  plain: new Map(),
  keyed: new Map(),
})

/**
 * The first condition demanded on the path to `op` that rests on a value which satisfies the predicate. Answers are kept by the
 * predicate, so it must be one function for good and no closure over this question.
 */
export const guardRestingOn = (
  flow: Flow,
  op: Op,
  predicate: Predicate,
  { keys = false }: Pick<DependencyOptions, 'keys'> = {},
): Op | null => {
  const byPredicate = flow.answer(createOrigins)[keys ? 'keyed' : 'plain']
  let known = byPredicate.get(predicate)
  if (known === undefined) {
    known = flow.ir.ops.some(predicate) ? new Map() : null
    byPredicate.set(predicate, known)
  }
  return known === null ? null : originAt(flow, pointAt(flow, op), predicate, keys, known)
}

const originAt = (flow: Flow, point: Known, predicate: Predicate, keys: boolean, known: Origins): Op | null => {
  const unvisited: Known[] = []
  let at: Known | null = point
  for (; at !== null && !known.has(at); at = at.base) unvisited.push(at)
  let origin = at === null ? null : known.get(at)!
  for (let i = unvisited.length - 1; i >= 0; i--) {
    const added = unvisited[i]!
    origin ??=
      factsAddedAt(flow, added).find(({ condition }) => dependsOn(flow, condition, predicate, { keys }))?.condition ??
      null
    known.set(added, origin)
  }
  return origin
}
