/** Calls that run code of another contract, or make one. */
import type { CallTarget, ContractModel, FunctionModel } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import { type CallInfo, CallRecord, type FlowCallKind, type GasKind, type Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { expr, exprs, plainValues, scalar } from './operands.ts'
import { asValue, forgetState } from './stored-values.ts'

export const resultCount = (target: CallTarget): number =>
  target.type.kind === 'tuple' ? target.type.elements.length : 1

/** The results of a call that is not inlined: the call itself, or its parts. */
export const results = (to: Builder, call: Op, count: number, node: ast.Span): Op => {
  if (count <= 1) return call
  const parts: Op[] = []
  for (let i = 0; i < count; i++) parts.push(to.extract(call, i, node))
  return to.make('tuple', node, '', parts)
}

/** The callee without `{value: x}` and the older `.value(x).gas(y)`. */
export const unwrapOptions = (callee: ast.Expression): ast.Expression => {
  let e = callee
  for (;;) {
    if (e.kind === 'CallOptions') e = e.callee
    else if (e.kind === 'Tuple' && e.elements.length === 1 && e.elements[0]) e = e.elements[0]
    else if (
      e.kind === 'Call' &&
      e.callee.kind === 'Member' &&
      (e.callee.name.name === 'value' || e.callee.name.name === 'gas')
    ) {
      e = e.callee.object
    } else return e
  }
}

/** Value, gas and salt are worked out in this order. */
const sentValue = (to: Builder, target: CallTarget): Op | null =>
  target.value === null ? null : scalar(expr(to, target.value))

const passedGas = (to: Builder, target: CallTarget): Op | null => {
  const gas = target.gas === null ? null : scalar(expr(to, target.gas))
  if (target.salt !== null) expr(to, target.salt)
  return gas
}

/** Of a function that is not among the files it is known that one which only reads may call it. */
const mutabilityHere = ({ frame: { fn } }: Builder): FunctionModel['mutability'] | undefined =>
  fn !== null && fn.kind === 'function' ? fn.mutability : undefined

export const external = (to: Builder, e: ast.Call, target: CallTarget, tried: boolean): Op => {
  const callee = unwrapOptions(e.callee)
  const receiverNode = target.receiver ?? (callee.kind === 'Member' ? callee.object : null)
  const receiver = receiverNode === null ? expr(to, callee) : scalar(expr(to, receiverNode))
  const args = plainValues(to, target.args.length > 0 ? target.args : e.args.values)
  const value = sentValue(to, target)
  const gas = passedGas(to, target)
  if (target.isOption) return receiver
  const definition = target.function
  const name = definition?.name ?? target.getter?.name ?? (callee.kind === 'Member' ? callee.name.name : '')
  const mutability = target.getter !== null ? 'view' : (definition?.mutability ?? mutabilityHere(to))
  const info: CallInfo = new CallRecord(
    'external',
    definition,
    target.contract,
    name,
    receiver,
    value,
    gas,
    gas === null ? 'all' : 'limited',
    false,
    to.enforcesView && (mutability === 'view' || mutability === 'pure'),
    tried,
    !tried,
  )
  const call = to.push(to.make('call', e, name, args, null, info))
  if (!info.isStatic) forgetState(to)
  return results(to, call, resultCount(target), e)
}

export const addressCall = (to: Builder, e: ast.Call, target: CallTarget): Op => {
  const receiver = target.receiver === null ? to.unknown('receiver', e) : scalar(expr(to, target.receiver))
  const args = plainValues(to, target.args)
  const isPayment = target.kind === 'send' || target.kind === 'transfer'
  // What a payment sends is its argument, which has run by now.
  const value = isPayment ? (args[0] ?? null) : sentValue(to, target)
  const gas = passedGas(to, target)
  if (target.isOption) return receiver
  const name = target.builtin ?? target.kind
  const kind = addressCallKind(target.kind, name)
  return lowLevelCall(to, e, kind, name, receiver, value, gas, args, resultCount(target))
}

const addressCallKind = (kind: CallTarget['kind'], name: string): FlowCallKind => {
  if (kind === 'send' || kind === 'transfer') return kind
  switch (name) {
    case 'delegatecall':
      return 'delegate'
    case 'callcode':
      return 'callcode'
    case 'staticcall':
      return 'static'
    default:
      return 'lowlevel'
  }
}

export const lowLevelCall = (
  to: Builder,
  node: ast.Span,
  kind: FlowCallKind,
  name: string,
  receiver: Op,
  value: Op | null,
  gas: Op | null,
  args: Op[],
  resultsExpected: number,
): Op => {
  const isStipend =
    kind === 'send' || kind === 'transfer' || (gas?.kind === 'const' && gas.constant !== null && gas.constant <= 2300n)
  const gasKind: GasKind = isStipend ? 'stipend' : gas === null ? 'all' : 'limited'
  const isStatic = kind === 'static'
  const bubbles = kind === 'transfer'
  const info = new CallRecord(kind, null, null, name, receiver, value, gas, gasKind, false, isStatic, false, bubbles)
  const call = to.push(to.make('call', node, name, args, null, info))
  if (!isStipend && !isStatic) forgetState(to)
  return results(to, call, resultsExpected, node)
}

export const create = (to: Builder, e: ast.Call, target: CallTarget, tried: boolean): Op => {
  const args = exprs(to, target.args)
  for (let i = 0; i < args.length; i++) args[i] = asValue(to, scalar(args[i]!), e)
  const value = sentValue(to, target)
  return creation(to, e, target.contract, value, passedGas(to, target), args, tried)
}

export const creation = (
  to: Builder,
  node: ast.Span,
  contract: ContractModel | null,
  value: Op | null,
  gas: Op | null,
  args: Op[],
  tried: boolean,
): Op => {
  const name = contract?.name ?? ''
  const made = contract?.constructor_ ?? null
  const info = new CallRecord('create', made, contract, name, null, value, gas, 'all', false, false, tried, !tried)
  return to.push(to.make('call', node, name, args, null, info))
}
