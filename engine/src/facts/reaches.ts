/** Where a value goes: its uses, followed forward through the operations that pass it on. */

import { type BasicBlock, budget, type Flow, type Op } from '../ir/index.ts'

/** A use of a value, or of what it became: by an operation, or by a branch that it decides. */
export type Use =
  | { readonly value: Op; readonly user: Op; readonly branch: null }
  | { readonly value: Op; readonly user: null; readonly branch: BasicBlock }

/** Whether `user` passes `value` on, so that the uses of its result count as well. */
export type Through = (user: Op, value: Op) => boolean

/** Longer ways are not followed: nobody writes them by hand. */
const maxValues = budget.work.reached

/** Every use of a value, and of what it becomes on the path. */
export function* usesOf(flow: Flow, value: Op, through: Through): Generator<Use, void> {
  const reached = new Set([value])
  for (const at of reached) {
    for (const branch of flow.branchesOn(at)) yield { value: at, user: null, branch }
    for (const user of flow.usersOf(at)) {
      yield { value: at, user, branch: null }
      if (reached.size < maxValues && through(user, at)) reached.add(user)
    }
  }
}

/** Whether a value comes to a use of some kind. */
export const reaches = (
  flow: Flow,
  value: Op,
  { through, until }: { readonly through: Through; readonly until: (use: Use) => boolean },
): boolean => {
  for (const use of usesOf(flow, value, through)) if (until(use)) return true
  return false
}
