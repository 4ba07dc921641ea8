/** Tokens that the caller names and that a contract of the protocol, notified of them afterwards, takes only from its own list. */
import { implementedBy, isUntrusted } from '../../facts/index.ts'
import { tokenCallOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, isBefore, type Op, stripCasts } from '../../ir/index.ts'

/** On every way on from the payment the token is vetted: one that nobody has listed undoes it. */
export const isVettedLater = (flow: Flow, op: CallOp): boolean => {
  const token = tokenCallOf(op)?.token ?? null
  const vetting = token === null ? undefined : flow.answer(findVetting).get(stripCasts(token))
  if (vetting === undefined) return false
  if (vetting.some((call) => call.block === op.block && isBefore(op, call))) return true
  return !canEndWithout(flow, op.block, new Set(vetting.map(({ block }) => block)))
}

/** By the parameter that they are notified of. */
const findVetting = (flow: Flow): ReadonlyMap<Op, readonly CallOp[]> => {
  const found = new Map<Op, CallOp[]>()
  for (const call of flow.externalCalls()) {
    const { kind, target } = call.call
    if (kind !== 'external' || target === null || isUntrusted(flow, target, call)) continue
    call.args.forEach((arg, at) => {
      const argument = stripCasts(arg)
      if (argument.kind !== 'param' || !isVetted(flow, call, at)) return
      found.set(argument, [...(found.get(argument) ?? []), call])
    })
  }
  return found
}

/** Anyone who answers the call comes to an end only with an argument that is on a list which the privileged keep. */
const isVetted = (flow: Flow, { call: { definition } }: CallOp, at: number): boolean => {
  if (definition === null) return false
  const answering = definition.isImplemented ? [definition] : implementedBy(flow, definition)
  return (
    answering.length > 0 &&
    answering.every((fn) => {
      const callee = flow.contractFlow.follow(fn)
      const given = callee.params[at]
      const ends = callee.ops('return')
      return given !== undefined && ends.length > 0 && ends.every((end) => !isUntrusted(callee, given, end))
    })
  )
}

const canEndWithout = ({ blocks }: Flow, start: number, passed: ReadonlySet<number>): boolean => {
  const reached = new Set([start])
  for (const block of reached) {
    const { succs, ops } = blocks[block]!
    if (ops.at(-1)?.kind === 'return') return true
    for (const next of succs) if (!passed.has(next)) reached.add(next)
  }
  return false
}
