/** Which contracts of the scan stand behind an interface, where these are few. */
import { budget } from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model } from '../model/index.ts'

const most = budget.work.implementations

export const implementationsOf = (
  model: Model,
  fn: FunctionModel,
  named: ContractModel | null = fn.contract,
): readonly ContractModel[] => {
  if (named === null || named.contractKind !== 'interface') return []
  const found = model.implementationsOf(fn, named)
  return found.length > most ? [] : found
}
