import type { Flow, Op } from '../ir/index.ts'

export type ResultUse = 'unused' | 'used' | 'checked'

/** What becomes of a call's result: the strongest of all its uses. */
export const resultUse = (flow: Flow, call: Op): ResultUse => {
  let use: 'unused' | 'used' = 'unused'
  const seen = new Set<Op>()
  const work: Op[] = [call]
  while (work.length > 0) {
    const value = work.pop()!
    if (seen.has(value)) continue
    seen.add(value)
    if (flow.isCondition(value)) return 'checked'
    for (const user of flow.usersOf(value)) {
      switch (user.kind) {
        case 'extract':
          // Only the first result of a low-level call says whether it worked.
          if (value !== call || user.constant === 0n || user.operator === 'success' || call.call?.kind === 'external')
            work.push(user)
          break
        case 'assume':
          return 'checked'
        case 'un':
        case 'bin':
        case 'cast':
        case 'phi':
        case 'select':
        case 'tuple':
        case 'make':
          work.push(user)
          break
        case 'call':
          // Of an inlined call the value goes on under the name of the parameter.
          if (!user.call.inlined) use = 'used'
          break
        case 'return':
        case 'store':
        case 'emit':
        case 'builtin':
        case 'revert':
          use = 'used'
          break
      }
    }
  }
  return use
}
