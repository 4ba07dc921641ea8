/** Tokens that another contract of the scan takes on request: it trusts this one to say whose. */
import { dependsOn, guardsAt, implementedBy, isSender, recoveriesOf } from '../../facts/index.ts'
import { tokenCalls } from '../../idioms/index.ts'
import { type CallOp, type Context, type Flow, type Op, stripCasts } from '../../ir/index.ts'

/** The accounts that a call names and the callee takes tokens from. */
export function* payersPassedTo(context: Context, flow: Flow, { call, args }: CallOp): Iterable<Op> {
  const { definition } = call
  if (call.kind !== 'external' || call.isStatic || definition === null || args.length < 2) return
  const behind = definition.isImplemented ? [definition] : implementedBy(flow, definition, call.contract)
  for (const fn of behind) {
    const callee = fn.contract === flow.contract ? undefined : context.flowOf(fn)
    for (const index of callee?.answer(payersNamed) ?? []) if (args[index] !== undefined) yield stripCasts(args[index])
  }
}

/** Parameters whose tokens it takes as instructed. */
const payersNamed = (callee: Flow): readonly number[] =>
  tokenCalls(callee)
    .map(({ op, from }) => {
      const isPassedToCallee = from !== null && !isSender(from) && !isSigned(callee, op, stripCasts(from))
      return isPassedToCallee ? callee.params.indexOf(stripCasts(from)) : -1
    })
    .filter((index) => index >= 0)

/** It demands a signature of the owner itself: anyone who tells it has to bring that. */
const isSigned = (callee: Flow, op: Op, owner: Op): boolean => {
  const signers = new Set(recoveriesOf(callee).map((recovery) => recovery.op))
  if (signers.size === 0) return false
  return guardsAt(callee, op).some(
    ({ condition }) =>
      dependsOn(callee, condition, (part) => signers.has(part)) &&
      dependsOn(callee, condition, (part) => part === owner),
  )
}
