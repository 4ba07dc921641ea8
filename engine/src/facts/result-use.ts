import type { Flow, Op, OpKind } from '../ir/index.ts'
import { usesOf } from './reaches.ts'

export type ResultUse = 'unused' | 'used' | 'checked'

const passedOn: ReadonlySet<OpKind> = new Set(['extract', 'un', 'bin', 'cast', 'phi', 'select', 'tuple', 'make'])
const consuming: ReadonlySet<OpKind> = new Set(['return', 'store', 'emit', 'builtin', 'revert'])

/** What becomes of a call's result: the strongest of all its uses. */
export const resultUse = (flow: Flow, call: Op): ResultUse => {
  const isOutcome = (user: Op, value: Op): boolean =>
    // Only the first result of a low-level call says whether it worked.
    user.kind !== 'extract' ||
    value !== call ||
    user.constant === 0n ||
    user.operator === 'success' ||
    call.call?.kind === 'external'
  let use: ResultUse = 'unused'
  for (const { user } of usesOf(flow, call, (user, value) => passedOn.has(user.kind) && isOutcome(user, value))) {
    if (user === null || user.kind === 'assume') return 'checked'
    // Of an inlined call the value goes on under the name of the parameter.
    if (consuming.has(user.kind) || (user.kind === 'call' && !user.call.inlined)) use = 'used'
  }
  return use
}
