/** Tokens that another contract of the scan takes when it is told to: it trusts this one to say whose. */
import { implementedBy, isSender } from '../../facts/index.ts'
import { tokenCalls } from '../../idioms/index.ts'
import { type CallOp, type Context, type Flow, type Op, stripCasts } from '../../ir/index.ts'

/** The accounts that a call names and the callee takes tokens from. */
export function* payersToldTo(context: Context, flow: Flow, { call, args }: CallOp): Iterable<Op> {
  const { definition } = call
  if (call.kind !== 'external' || call.isStatic || definition === null || args.length < 2) return
  const behind = definition.isImplemented ? [definition] : implementedBy(flow, definition, call.contract)
  for (const fn of behind) {
    const callee = fn.contract === flow.contract ? undefined : context.flowOf(fn)
    for (const index of callee?.answer(payersNamed) ?? []) if (args[index] !== undefined) yield stripCasts(args[index])
  }
}

/** Parameters whose tokens it takes as it is told. */
const payersNamed = (callee: Flow): readonly number[] =>
  tokenCalls(callee)
    .map(({ from }) => (from === null || isSender(from) ? -1 : callee.params.indexOf(stripCasts(from))))
    .filter((index) => index >= 0)
