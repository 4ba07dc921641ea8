/** Calls whose failure is not survived. */
import { type BasicBlock, type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import { dependsOn } from './dependencies.ts'
import { guardsAt } from './guards.ts'

/** The failure of this call undoes the whole transaction: it is never tried, or its outcome is demanded. */
export const revertsOnFailure = (flow: Flow, call: CallOp): boolean => {
  if (call.call.isTried) return false
  return call.call.bubbles || flow.answer(demandedOutcomes).has(call)
}

/** It runs only where the call failed: `if (!ok) owed[to] += amount`. */
export const isAfterFailure = (flow: Flow, call: CallOp, op: Op): boolean =>
  guardsAt(flow, op).some(({ condition, polarity }) => !polarity && dependsOn(flow, condition, (part) => part === call))

/** What must have gone well: by a `require`, or because a branch refuses: `if (!x.send(y)) revert();` */
const demandedOutcomes = (flow: Flow): ReadonlySet<Op> => {
  const work = flow.ops('assume').map(({ args }) => args[0])
  for (const block of flow.blocks) {
    const demanded = demandedBy(flow, block)
    if (demanded !== null) work.push(demanded)
  }
  return outcomesIn(work)
}

const demandedBy = (flow: Flow, { condition, succs: [yes, no] }: BasicBlock): Op | null => {
  if (condition === null || yes === undefined || no === undefined) return null
  const isNegated = condition.kind === 'un' && condition.operator === '!'
  if (!endsInRevert(flow, isNegated ? yes : no)) return null
  return isNegated ? condition.args[0] : condition
}

/** Of the calls that conditions are about, alone or among others that must hold too. */
const outcomesIn = (work: Op[]): ReadonlySet<Op> => {
  const calls = new Set<Op>()
  const seen = new Set<Op>()
  while (work.length > 0) {
    const op = stripCasts(work.pop()!)
    if (seen.has(op)) continue
    seen.add(op)
    if (op.kind === 'call') calls.add(op)
    else if (op.kind === 'extract' && (op.constant === 0n || op.operator === 'success')) calls.add(op.args[0])
    else if (op.kind === 'bin' && demanding.has(op.operator)) work.push(...op.args)
  }
  return calls
}

const demanding: ReadonlySet<string> = new Set(['&&', '==', '!='])

/** Anyone who comes into this block has everything undone. */
export const endsInRevert = (flow: Flow, block: number): boolean => flow.blocks[block]!.ops.at(-1)?.kind === 'revert'
