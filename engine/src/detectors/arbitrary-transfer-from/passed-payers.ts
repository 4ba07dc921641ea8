/** Tokens that another contract of the scan takes on request: it trusts this one to say whose. */
import { implementedBy, isSender } from '../../facts/index.ts'
import { tokenCalls } from '../../idioms/index.ts'
import { type CallOp, type Context, type Flow, type Op, stripCasts } from '../../ir/index.ts'

export interface PassedPayer {
  readonly from: Op
  /** Where the callee takes the tokens. */
  readonly transfer: Op
}

/** The accounts that a call names and the callee takes tokens from. */
export function* payersPassedTo(context: Context, flow: Flow, { call, args }: CallOp): Iterable<PassedPayer> {
  const { definition } = call
  if (call.kind !== 'external' || call.isStatic || definition === null || args.length < 2) return
  // The caller is called back: it needs nobody to tell it whose tokens to take.
  if (call.target !== null && isSender(call.target)) return
  const behind = definition.isImplemented ? [definition] : implementedBy(flow, definition, call.contract)
  for (const fn of behind) {
    const callee = fn.contract === flow.contract ? undefined : context.flowOf(fn)
    for (const { index, transfer } of callee?.answer(payersNamed) ?? [])
      if (args[index] !== undefined) yield { from: stripCasts(args[index]), transfer }
  }
}

/** Parameters whose tokens it takes as instructed. */
const payersNamed = (callee: Flow): readonly { readonly index: number; readonly transfer: Op }[] =>
  tokenCalls(callee)
    .map(({ op, from }) => {
      const isPassedToCallee = from !== null && !isSender(from)
      return { index: isPassedToCallee ? callee.params.indexOf(stripCasts(from)) : -1, transfer: op }
    })
    .filter(({ index }) => index >= 0)
