/** What of a scan gets code of its own on chain: no interface, no base, no test, no library that is built into those who use it. */
import { isForTestRunner } from '../../facts/index.ts'
import type { ContractModel, FunctionModel, Model } from '../../model/index.ts'
import { collect } from '../../syntax/index.ts'

/** Of a base that is not among the files nobody knows what it leaves to derived contracts. */
export const isDeployed = (model: Model, contract: ContractModel): boolean => {
  if (contract.contractKind === 'library') return contract.functions.some(isOpen)
  if (contract.contractKind !== 'contract' || !contract.isMostDerived || contract.hasUnresolvedBase) return false
  if (!isComplete(model, contract) || isMeantAsBase(contract) || isForTestRunner(model, contract)) return false
  const offered = contract.functions.filter((fn) => isOffered(contract, fn))
  if (offered.length === 0) return true
  const used = namesUsed(contract)
  return offered.every(({ name }) => used.has(name))
}

/** Only code inside can call it, and it takes no place of a function that a base has. */
const isOffered = ({ linearization }: ContractModel, { node, name, visibility, role, isImplemented }: FunctionModel) =>
  visibility === 'internal' &&
  role === 'function' &&
  isImplemented &&
  node.override === null &&
  !linearization.slice(1).some(({ functions }) => functions.some((fn) => fn.name === name))

/** Names that stand anywhere but where a function is declared: nobody calls one that has none of them, and it is there for derived contracts. */
const namesUsed = ({ node, functions }: ContractModel): ReadonlySet<string> => {
  const used = new Set<string>()
  const declared = new Set(functions.map((fn) => fn.node.name))
  for (const identifier of collect(node, 'Identifier')) if (!declared.has(identifier)) used.add(identifier.name)
  for (const { name } of collect(node, 'Member')) used.add(name.name)
  return used
}

const isOpen = ({ visibility }: FunctionModel): boolean => visibility === 'external' || visibility === 'public'

/** Nothing is left to derived contracts: before 0.6 no word said so. */
const isComplete = (model: Model, contract: ContractModel): boolean => {
  if (contract.constructor_?.visibility === 'internal') return false
  const getters = new Set(contract.allStateVariables.map(({ name }) => name))
  return contract.allFunctions.every(
    (fn) => fn.isImplemented || getters.has(fn.name) || model.dispatch(fn, contract).isImplemented,
  )
}

/** Nobody can call or ask anything of it once it is there, or all of its code is what derived contracts alone can run. */
const isMeantAsBase = ({ entryPoints, allFunctions, modifiers, allStateVariables }: ContractModel): boolean => {
  if (entryPoints.length > 0) return false
  const hasCode = modifiers.length > 0 || allFunctions.some(({ role }) => role !== 'constructor')
  return hasCode || !allStateVariables.some(({ visibility }) => visibility === 'public')
}
