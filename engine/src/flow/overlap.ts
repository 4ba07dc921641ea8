import type { Location } from './ir.ts'

/** Like `mayOverlap`, for places of two flows: keys are compared only when both are constants. */
export const mayOverlapAcross = (a: Location, b: Location): boolean => {
  if (a.variable !== b.variable) return false
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
