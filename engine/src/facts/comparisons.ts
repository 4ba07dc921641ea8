/** Where a value is compared, conversions looked through. */

import { type Flow, isComparison, type Op } from '../ir/index.ts'

/** Comparisons that the value, or a conversion of it, takes part in. */
export const comparisonsOf = (flow: Flow, value: Op): Op[] => {
  const found: Op[] = []
  const work = [value]
  while (work.length > 0) {
    const op = work.pop()!
    for (const user of flow.usersOf(op)) {
      if (user.kind === 'cast') work.push(user)
      else if (user.kind === 'bin' && isComparison(user.operator)) found.push(user)
    }
  }
  return found
}
