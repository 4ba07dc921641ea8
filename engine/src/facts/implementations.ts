/** Which contracts of the scan stand behind an interface. */
import { budget } from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model } from '../model/index.ts'

const most = budget.work.implementations

/**
 * Contracts that inherit the interface, or answer this question and at least half of the others: hand-written interfaces lag behind. The
 * question may be one that the interface takes over from another.
 */
export const implementationsOf = (
  model: Model,
  fn: FunctionModel,
  named: ContractModel | null = fn.contract,
): readonly ContractModel[] => {
  if (named === null || named.contractKind !== 'interface') return []
  const found = model.contracts.filter((contract) => {
    if (contract.contractKind !== 'contract' || contract.isStub) return false
    if (contract.linearization.includes(named)) return true
    const has = new Set([
      ...contract.allFunctions.map(({ signature }) => signature),
      ...contract.allStateVariables.filter(({ visibility }) => visibility === 'public').map(({ name }) => `${name}()`),
    ])
    const common = named.functions.filter(({ signature }) => has.has(signature)).length
    return has.has(fn.signature) && common * 2 >= named.functions.length
  })
  return found.length > most ? [] : found
}
