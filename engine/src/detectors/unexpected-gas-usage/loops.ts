import { type Loop, loopsOf } from '../../facts/index.ts'
import { firstThatFits, listFunctions } from '../../idioms/index.ts'
import { describeValue, type Flow, isZero, type StoreOp, stripCasts } from '../../ir/index.ts'

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

/** The functions that callers see and that run the loop. */
const stuckBy = ({ flow, loop: { start } }: GrowingLoop): string => {
  const entries = flow.contractFlow.entryPoints.filter((entry) => loopsOf(entry).some((other) => other.start === start))
  return entries.length === 0 ? `\`${flow.name}()\`` : listFunctions(entries)
}

/** Through which function it grows, if one is known. */
const grownIn = ({ flow, loop: { variable } }: GrowingLoop): string => {
  const grows =
    variable === null
      ? []
      : flow.contractFlow.writersOf(variable).filter(({ op }) => op.location.part === 'length' && !shortens(op))
  const growth = grows.find((writer) => writer.flow.isEntryPoint)
  return growth === undefined ? '' : `, and \`${growth.flow.name}()\` makes it longer`
}

/** Storage without a name of its own (namespaced, diamond): what the loop runs up to, as it is written. */
const boundOf = ({ flow, loop: { bound } }: GrowingLoop): string => {
  const name = bound === null ? '…' : describeValue(flow.model, bound)
  return name === '…' ? 'a stored list' : `\`${name}\` elements`
}

export const describeLoop = (candidate: GrowingLoop): string => {
  const { boundKind, variable } = candidate.loop
  const stuck = `once the loop needs more gas than a block has, ${stuckBy(candidate)} cannot run`
  if (boundKind === 'chain')
    return `This loop is bounded only by elapsed time or by accounts of others, so its gas only grows; ${stuck}.`
  const isNumber = variable?.type.kind === 'int'
  const list = variable === null ? boundOf(candidate) : `${isNumber ? '' : 'all of '}\`${variable.name}\``
  const rounds = isNumber ? `A loop repeats ${list} times, a number which` : `A loop runs over ${list}, which`
  const growth = candidate.relief === 'none' ? 'only grows' : `has no maximum${isNumber ? '' : ' length'}`
  return firstThatFits(
    `${rounds} ${growth}${grownIn(candidate)}; ${stuck}.`,
    `${rounds} ${growth}; ${stuck}.`,
    `${rounds} ${growth}, so it can exceed the block gas limit.`,
  )
}
