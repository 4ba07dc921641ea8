/** Calls whose failure is not survived. */
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'

/** The failure of this call undoes the whole transaction: it is never tried, or its outcome is demanded. */
export const revertsOnFailure = (flow: Flow, call: CallOp): boolean => {
  if (call.call.isTried) return false
  return (
    call.call.bubbles || flow.ops('assume').some(({ args }) => isOutcome(args[0], call)) || failureReverts(flow, call)
  )
}

/** Whether the call went well, alone or among other conditions that must hold. */
const isOutcome = (value: Op, call: CallOp): boolean => {
  const op = stripCasts(value)
  if (op === call) return true
  if (op.kind === 'extract') return op.args[0] === call && (op.constant === 0n || op.operator === 'success')
  return op.kind === 'bin' && op.operator !== '||' && op.args.some((arg) => isOutcome(arg, call))
}

/** `if (!x.send(y)) revert();` */
const failureReverts = (flow: Flow, call: CallOp): boolean =>
  flow.blocks.some(({ condition, succs: [yes, no] }) => {
    if (condition === null || yes === undefined || no === undefined) return false
    const isNegated = condition.kind === 'un' && condition.operator === '!'
    if (!isOutcome(isNegated ? condition.args[0] : condition, call)) return false
    return flow.blocks[isNegated ? yes : no]!.ops.at(-1)?.kind === 'revert'
  })
