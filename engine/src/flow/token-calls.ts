/** Calls of the token standards, told by their signature, whatever the receiver is called. */
import { stripCasts } from './facts.ts'
import type { Flow } from './flow.ts'
import type { Op } from './ir.ts'

export interface TokenCall {
  readonly op: Op
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

const shapes: Readonly<
  Record<string, { readonly name: TokenCall['name']; readonly count: number; readonly isSafe: boolean }>
> = {
  transfer: { name: 'transfer', count: 2, isSafe: false },
  transferFrom: { name: 'transferFrom', count: 3, isSafe: false },
  approve: { name: 'approve', count: 2, isSafe: false },
  safeTransfer: { name: 'transfer', count: 2, isSafe: true },
  safeTransferFrom: { name: 'transferFrom', count: 3, isSafe: true },
  safeApprove: { name: 'approve', count: 2, isSafe: true },
  forceApprove: { name: 'approve', count: 2, isSafe: true },
}

/** What a call does to a token, if it is one of the standard ones. */
export const tokenCallOf = (op: Op): TokenCall | null => {
  const info = op.call
  if (info === null || (info.kind !== 'external' && info.kind !== 'library')) return null
  const shape = shapes[info.name]
  if (shape === undefined) return null
  // A library gets the token as its first argument.
  const skip = info.kind === 'library' && op.args.length === shape.count + 1 ? 1 : 0
  if (info.kind === 'library' && skip === 0) return null
  if (op.args.length - skip !== shape.count) return null
  const args = op.args.slice(skip)
  const isFrom = shape.name === 'transferFrom'
  return {
    op,
    name: shape.name,
    isSafe: shape.isSafe,
    token: skip === 1 ? op.args[0]! : info.target,
    from: isFrom ? args[0]! : null,
    to: args[isFrom ? 1 : 0]!,
    amount: args[isFrom ? 2 : 1]!,
  }
}

/** The standard token calls of a flow, each place once: a wrapper and the call inside it are one. */
export const tokenCalls = (flow: Flow): TokenCall[] => {
  const calls: TokenCall[] = []
  const seen = new Set<number>()
  for (const op of flow.ops('call')) {
    const call = tokenCallOf(op)
    if (call === null || seen.has(op.start)) continue
    seen.add(op.start)
    calls.push(call)
  }
  return calls
}

/** `address(this)` */
export const isSelf = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'this'
}

/** `token.balanceOf(address(this))` */
export const isOwnTokenBalance = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'call' && op.call!.name === 'balanceOf' && op.args.length === 1 && isSelf(op.args[0]!)
}
