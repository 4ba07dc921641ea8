/** Records: places that are found under a key. */
import type { Location } from '../ir/index.ts'

/** An entry of a mapping or array, or a slot that assembly computes from a hash. */
export const isKeyed = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.part === 'index' || (at.space === 'slot' && at.base?.kind === 'builtin')) return true
  return false
}
