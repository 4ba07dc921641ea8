import { type Loop, loopsOf } from '../../facts/index.ts'
import { type Flow, isZero, type StoreOp, stripCasts } from '../../ir/index.ts'

/** A loop over stored data that those who are privileged make longer, or that only time bounds. */
export interface GrowingLoop {
  readonly flow: Flow
  readonly loop: Loop
  readonly relief: Relief
}

/** How the list can be made shorter: not at all, by going through the whole of it, or one by one, at once. */
export type Relief = 'none' | 'whole' | 'at once'

export function* growingLoops(flow: Flow): Iterable<GrowingLoop> {
  if (flow.isConstructor || flow.ir.loops.length === 0) return
  for (const loop of loopsOf(flow))
    if (loop.grownBy === 'privileged') yield { flow, loop, relief: reliefOf(flow, loop) }
}

const reliefOf = (flow: Flow, { variable, boundKind }: Loop): Relief => {
  if (variable === null || boundKind !== 'storage-length') return 'none'
  let relief: Relief = 'none'
  for (const { flow: writer, op } of flow.contractFlow.writersOf(variable)) {
    if (writer.isConstructor || !shortens(op)) continue
    const isWhole = op.location.part !== 'length'
    if (!isWhole && !loopsOf(writer).some((loop) => loop.variable === variable && loop.start < op.end)) return 'at once'
    relief = 'whole'
  }
  return relief
}

export const shortens = ({ location: { part }, flag, args }: StoreOp): boolean => {
  if (flag) return part === 'root' || part === 'length'
  const value = stripCasts(args[0])
  const isLess = value.kind === 'bin' && value.operator === '-'
  return part === 'length' && (isLess || isZero(value))
}

export const describeLoop = ({ loop: { boundKind, variable }, relief }: GrowingLoop): string => {
  if (boundKind === 'chain')
    return 'This loop is bounded only by elapsed time or by accounts of others, so its gas only grows and it can exceed the block gas limit.'
  if (relief === 'none')
    return `This loop iterates over \`${variable?.name ?? 'stored data'}\`, which only grows, so it can exceed the block gas limit.`
  return `This loop iterates over \`${variable?.name}\`, whose length is not limited, so it can exceed the block gas limit.`
}
