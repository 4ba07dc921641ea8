/** Calls of the token standards, recognized by their signature, whatever the receiver is called. */

import { encodedCallOf } from '../facts/index.ts'
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import { type KnownTokenFunction, notifiedArgument, tokenArgument, tokenFunction } from '../knowledge/index.ts'
import type { VariableModel } from '../model/index.ts'

export interface TokenCall {
  readonly op: CallOp
  readonly name: 'transfer' | 'transferFrom' | 'approve'
  /** Through a wrapper that reverts on failure. */
  readonly isSafe: boolean
  readonly token: Op | null
  /** Whose tokens move; null for `transfer` and `approve`. */
  readonly from: Op | null
  readonly to: Op
  /** For NFTs the id. */
  readonly amount: Op
}

const callWith = (
  op: CallOp,
  known: KnownTokenFunction,
  { target, args, isSafe }: { target: Op | null; args: readonly Op[]; isSafe: boolean },
): TokenCall => {
  const isFrom = known.does === 'transferFrom'
  const [to, amount] = args.slice(isFrom ? 1 : 0) as [Op, Op]
  const named = tokenArgument(known)
  const token = named === undefined ? target : args[named]!
  return { op, name: known.does, isSafe, token, from: isFrom ? args[0]! : null, to, amount }
}

/** `token.call(abi.encodeWithSelector(0xa9059cbb, to, amount))` */
const lowLevelTokenCall = (op: CallOp, target: Op): TokenCall | null => {
  const encoded = encodedCallOf(op.args[0])
  const known = encoded === null ? undefined : tokenFunction(encoded.name, encoded.args.length)
  return known === undefined ? null : callWith(op, known, { target, args: encoded!.args, isSafe: true })
}

/** What a call does to a token, if it is one of the standard ones. */
export const tokenCallOf = (op: Op): TokenCall | null => {
  if (op.kind !== 'call') return null
  const { kind, target, name } = op.call
  if (kind === 'lowlevel' && target !== null) return lowLevelTokenCall(op, target)
  if (kind !== 'external' && kind !== 'library') return null
  // A library gets the token as its first argument.
  const [token, args] = kind === 'library' ? [op.args[0] ?? null, op.args.slice(1)] : [target, op.args]
  const known = tokenFunction(name, args.length)
  if (known === undefined || (kind === 'library' && known.token !== undefined)) return null
  return callWith(op, known, { target: token, args, isSafe: known.isSafe ?? false })
}

/** Who runs code when it receives, because the standard says so: ERC-777, ERC-1363, ERC-721 and ERC-1155 with data. */
export const notifiedBy = ({ call, args }: Op): Op | null => {
  const index = call?.kind === 'external' ? notifiedArgument(call.name, args.length) : undefined
  return index === undefined ? null : args[index]!
}

/** The standard token calls of a flow, each place once: a wrapper and the call inside it are one. */
export const tokenCalls = (flow: Flow): readonly TokenCall[] => flow.answer(findTokenCalls)

/** There is a standard token call. */
export const callsToken = (flow: Flow): boolean => tokenCalls(flow).length > 0

const none: TokenCall[] = []

const findTokenCalls = (flow: Flow): TokenCall[] => {
  let found = none
  const wrappers = new Set<Op>()
  const seen = new Set<number>()
  for (const op of flow.ops('call')) {
    const call = tokenCallOf(op)
    if (call === null || seen.has(op.start) || isInside(op, wrappers)) continue
    if (found === none) found = []
    wrappers.add(op)
    seen.add(op.start)
    found.push(call)
  }
  return found
}

const isInside = ({ site }: Op, calls: ReadonlySet<Op>): boolean => {
  for (let at = site; at !== null; at = at.parent) if (at.call !== null && calls.has(at.call)) return true
  return false
}

/** The variable of state or of a record that the token is read from. */
export const tokenVariable = (token: Op | null): VariableModel | null => {
  const value = token === null ? null : stripCasts(token)
  return value?.kind === 'load' ? value.location.variable : null
}

/** The function that `wrapper` calls makes the call: `token.safeTransfer()` and the `token.transfer()` inside of it. */
export const isMadeBy = (wrapper: Op, call: Op): boolean => isInside(call, new Set([wrapper]))

/** `address(this)` */
export const isSelf = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'this'
}

/** `address(this).balance` */
export const isOwnEther = ({ kind, operator, args }: Op): boolean =>
  kind === 'builtin' && operator === 'balance' && isSelf(args[0]!)

/** `token.balanceOf(address(this))`, also as the decoded answer of a low-level call. */
export const isOwnTokenBalance = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'builtin') return op.operator === 'abi.decode' && isEncodedBalanceQuery(stripCasts(op.args[0]!))
  return op.kind === 'call' && op.call.name === 'balanceOf' && op.args.length === 1 && isSelf(op.args[0]!)
}

/** `token.staticcall(abi.encodeWithSelector(IToken.balanceOf.selector, address(this)))` */
const isEncodedBalanceQuery = (answer: Op): boolean => {
  const call = answer.kind === 'extract' ? answer.args[0] : answer
  if (call.kind !== 'call' || (call.call.kind !== 'static' && call.call.kind !== 'lowlevel')) return false
  const encoded = encodedCallOf(call.args[0])
  return encoded?.name === 'balanceOf' && encoded.args.length === 1 && isSelf(encoded.args[0]!)
}
