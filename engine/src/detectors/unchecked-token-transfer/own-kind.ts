import { isUntrusted } from '../../facts/index.ts'
import { storedBehind, tokenCallOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'

/** What any token may have. */
export const standardNames = new Set([
  'totalSupply',
  'balanceOf',
  'transfer',
  'transferFrom',
  'approve',
  'allowance',
  'increaseAllowance',
  'decreaseAllowance',
  'name',
  'symbol',
  'decimals',
  'permit',
  'nonces',
  'DOMAIN_SEPARATOR',
  'mint',
  'burn',
  'burnFrom',
])

/** The token is one of those that the project writes, here and wherever it was put on record: another would have failed, or nobody could bring it. */
export const isOfKind = (flow: Flow, op: CallOp): boolean => {
  const token = tokenCallOf(op)?.token ?? null
  if (token === null) return false
  if (isChosen(flow, token, op) || isShown(flow, token, op)) return true
  const stored = storedBehind(flow, stripCasts(token))
  return stored.length > 0 && stored.every((each) => isShown(each.flow, each.value, each.value))
}

/**
 * Kept in state that no outsider sets, created here, or reported by a contract that is. Anyone who calls can name any token; who calls a function
 * that only runs as part of others is checked there.
 */
const isChosen = (flow: Flow, token: Op, op: CallOp): boolean => {
  const value = stripCasts(token)
  const isNamed = value.kind === 'param' || (value.kind === 'load' && value.location.space === 'memory')
  return isNamed ? !flow.isEntryPoint : !isUntrusted(flow, value, op)
}

/** On every way it is called by functions that the standards do not have: a token of another kind cannot answer, and everything is undone. */
const isShown = (flow: Flow, token: Op, at: Op): boolean =>
  flow
    .externalCalls()
    .some(
      (other) =>
        other.call.kind === 'external' &&
        !other.call.isTried &&
        !standardNames.has(other.call.name) &&
        other.call.target !== null &&
        sameValue(other.call.target, token) &&
        (flow.dominates(other, at) || flow.isFollowedBy(at, other)),
    )
