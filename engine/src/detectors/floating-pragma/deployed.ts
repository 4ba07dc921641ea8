/** What of a scan gets code of its own on chain: no interface, no base, no test, no library that is built into those who use it. */
import { isForTestRunner } from '../../facts/index.ts'
import type { ContractModel, FunctionModel, Model } from '../../model/index.ts'

export const isDeployed = (model: Model, contract: ContractModel): boolean => {
  if (contract.contractKind === 'library') return contract.functions.some(isOpen)
  if (contract.contractKind !== 'contract' || !contract.isMostDerived) return false
  return isComplete(model, contract) && !isForHeirs(contract) && !isForTestRunner(model, contract)
}

const isOpen = ({ visibility }: FunctionModel): boolean => visibility === 'external' || visibility === 'public'

/** Nothing is left to heirs: before 0.6 no word said so. */
const isComplete = (model: Model, contract: ContractModel): boolean => {
  if (contract.constructor_?.visibility === 'internal') return false
  const getters = new Set(contract.allStateVariables.map(({ name }) => name))
  return contract.allFunctions.every(
    (fn) => fn.isImplemented || getters.has(fn.name) || model.dispatch(fn, contract).isImplemented,
  )
}

/** Nobody can call or ask anything of it once it is there, or all of its code is what heirs alone can run. */
const isForHeirs = ({
  entryPoints,
  hasUnresolvedBase,
  allFunctions,
  modifiers,
  allStateVariables,
}: ContractModel): boolean => {
  if (entryPoints.length > 0 || hasUnresolvedBase) return false
  const hasCode = modifiers.length > 0 || allFunctions.some(({ role }) => role !== 'constructor')
  return hasCode || !allStateVariables.some(({ visibility }) => visibility === 'public')
}
