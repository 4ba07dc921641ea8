/** Where a value is compared, conversions looked through. */

import { type BinaryOp, type Flow, isComparison, type Op } from '../ir/index.ts'
import { usesOf } from './reaches.ts'

/** Comparisons that the value, or a conversion of it, takes part in. */
export const comparisonsOf = (flow: Flow, value: Op): BinaryOp[] => {
  const found: BinaryOp[] = []
  for (const { user } of usesOf(flow, value, ({ kind }) => kind === 'cast'))
    if (user?.kind === 'bin' && isComparison(user.operator)) found.push(user)
  return found
}
