/** Which contracts of the scan stand behind an interface. */
import { budget } from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model } from '../model/index.ts'

const most = budget.work.implementations

/** Contracts that inherit the interface, or answer this question and at least half of its others; none where there are many. */
export const implementationsOf = (
  model: Model,
  fn: FunctionModel,
  named: ContractModel | null = fn.contract,
): readonly ContractModel[] => {
  if (named === null || named.contractKind !== 'interface') return []
  const found = model.implementationsOf(fn, named)
  return found.length > most ? [] : found
}
