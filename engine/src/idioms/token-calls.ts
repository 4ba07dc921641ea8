/** Calls of the token standards, recognized by their signature, whatever the receiver is called. */

import { encodedCallOf } from '../facts/index.ts'
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import { notifiedArgument, tokenFunction } from '../knowledge/index.ts'

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

interface Shape {
  readonly name: TokenCall['name']
  readonly count: number
  readonly isSafe: boolean
}

const shapeOf = (name: string): Shape | undefined => {
  const known = tokenFunction(name)
  return known && { name: known.does, count: known.declared.params.length, isSafe: known.isSafe ?? false }
}

/** `token.call(abi.encodeWithSelector(0xa9059cbb, to, amount))` */
const lowLevelTokenCall = (op: CallOp, target: Op): TokenCall | null => {
  const encoded = encodedCallOf(op.args[0])
  const shape = encoded === null ? undefined : shapeOf(encoded.name)
  if (encoded === null || shape === undefined || encoded.args.length !== shape.count) return null
  const { args } = encoded
  const isFrom = shape.name === 'transferFrom'
  const [to, amount] = args.slice(isFrom ? 1 : 0) as [Op, Op]
  return { op, name: shape.name, isSafe: true, token: target, from: isFrom ? args[0]! : null, to, amount }
}

/** What a call does to a token, if it is one of the standard ones. */
export const tokenCallOf = (op: Op): TokenCall | null => {
  if (op.kind !== 'call') return null
  const info = op.call
  if (info.kind === 'lowlevel' && info.target !== null) return lowLevelTokenCall(op, info.target)
  if (info.kind !== 'external' && info.kind !== 'library') return null
  const shape = shapeOf(info.name)
  if (shape === undefined) return null
  // A library gets the token as its first argument.
  const skip = info.kind === 'library' && op.args.length === shape.count + 1 ? 1 : 0
  if (info.kind === 'library' && skip === 0) return null
  if (op.args.length - skip !== shape.count) return null
  const isFrom = shape.name === 'transferFrom'
  return {
    op,
    name: shape.name,
    isSafe: shape.isSafe,
    token: skip === 1 ? op.args[0]! : info.target,
    from: isFrom ? op.args[skip]! : null,
    to: op.args[isFrom ? skip + 1 : skip]!,
    amount: op.args[isFrom ? skip + 2 : skip + 1]!,
  }
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

/** `token.balanceOf(address(this))` */
export const isOwnTokenBalance = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'call' && op.call.name === 'balanceOf' && op.args.length === 1 && isSelf(op.args[0]!)
}
