/** Whether two places in storage or memory may be the same. */
import type { Location } from './ir.ts'

/** Whether a write to one place may change the other. Different roots never meet; different constant keys neither. */
export const mayOverlap = (a: Location, b: Location): boolean => {
  if (a.space !== b.space) {
    // A storage pointer parameter or a computed slot may be any state.
    return a.space !== 'memory' && b.space !== 'memory' && (a.space === 'pointer' || b.space === 'pointer')
  }
  if (a.variable !== b.variable || (a.variable === null && a.base !== b.base)) {
    return a.space === 'slot' && !(a.base!.kind === 'const' && b.base!.kind === 'const')
  }
  return partsMayMeet(a, b)
}

/** Like `mayOverlap`, for places of two flows. */
export const mayOverlapAcross = (a: Location, b: Location): boolean => a.variable === b.variable && partsMayMeet(a, b)

/** Places of one variable: the ways to them part nowhere. Keys are compared only when both are constants. */
const partsMayMeet = (a: Location, b: Location): boolean => {
  let x: Location | null = a
  let y: Location | null = b
  while (x !== null && y !== null && x.depth > y.depth) x = x.parent
  while (x !== null && y !== null && y.depth > x.depth) y = y.parent
  while (x !== null && y !== null && x !== y) {
    if (x.part === 'field' && y.part === 'field' && x.name !== y.name) return false
    if (x.part !== y.part && x.part !== 'any' && y.part !== 'any') return false
    if (x.part === 'index' && y.part === 'index' && x.index!.kind === 'const' && y.index!.kind === 'const') {
      if (x.index!.constant !== null && y.index!.constant !== null && x.index!.constant !== y.index!.constant)
        return false
    }
    x = x.parent
    y = y.parent
  }
  return true
}

/** Slots named by the same constant, or the same number. */
export const isSameSlot = (a: Location, b: Location): boolean => {
  if (a.base?.kind !== 'const' || b.base?.kind !== 'const') return false
  if (a.base.constant !== null || b.base.constant !== null) return a.base.constant === b.base.constant
  return a.base.decl !== null && a.base.decl === b.base.decl
}
