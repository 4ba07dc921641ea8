/** Tokens that the same function also calls as a contract of the project. */
import { neverAnswersFalse } from '../../facts/index.ts'
import { tokenCallOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { ContractModel } from '../../model/index.ts'

/**
 * `IERC20(pool).transferFrom(…); Pool(pool).remove();`: a pool as the project writes it moves its shares or reverts, and what
 * someone names in its place can as well answer true.
 */
export const isOwnKindElsewhere = (flow: Flow, op: CallOp): boolean => {
  const token = tokenCallOf(op)?.token ?? null
  const callee = op.call.definition
  if (token === null || callee === null) return false
  const kinds = [...(flow.answer(findKinds).get(stripCasts(token)) ?? [])]
  return kinds.some((contract) => {
    const own = contract.allFunctions.find(
      ({ signature, isImplemented }) => isImplemented && signature === callee.signature,
    )
    return own !== undefined && neverAnswersFalse(flow, own)
  })
}

/** As which contracts, and no mere interfaces, each value is called. */
const findKinds = (flow: Flow): ReadonlyMap<Op, ReadonlySet<ContractModel>> => {
  const found = new Map<Op, Set<ContractModel>>()
  for (const { call } of flow.externalCalls()) {
    const contract = call.definition?.contract ?? null
    if (call.target === null || contract === null || contract.contractKind === 'interface') continue
    const value = stripCasts(call.target)
    const kinds = found.get(value) ?? new Set()
    found.set(value, kinds.add(contract))
  }
  return found
}
