/** Follows every function of a contract: its construction, what outsiders can call, and what none of these runs. */

import type { ContractModel, FunctionModel, Model } from '../model/index.ts'
import type { Budget } from './budget.ts'
import { ContractFlow, Flow, type FlowKind, type SharedAnswers } from './flow.ts'
import type { Decision, Ir } from './ir.ts'
import type { Lowering } from './lowering.ts'
import { Covered, type FlowCache } from './made-flows.ts'

/** What following several contracts in a row shares. */
export interface Following {
  readonly model: Model
  readonly budget: Budget
  readonly cache: FlowCache
  readonly lowering: Lowering
  readonly shared: SharedAnswers
  readonly weight: Weight
}

/** What a flow takes beside its operations, in operations; one that is shared counts for each contract all the same. */
const flowWeight = 15
const sharedFlowWeight = 3

/** What has been followed so far, in operations; past the most it may be, nothing more is. */
export class Weight {
  readonly #most: number
  #sum = 0
  #refused = 0

  constructor(most: number) {
    this.#most = most
  }

  add(operations: number): void {
    this.#sum += operations
  }

  hasRoom(): boolean {
    if (this.#sum <= this.#most) return true
    this.#refused++
    return false
  }

  get sum(): number {
    return this.#sum
  }

  /** How often there was no room. */
  get refused(): number {
    return this.#refused
  }
}

/** Of a library only the functions that are given. */
export const followContract = (
  by: Following,
  contract: ContractModel,
  functions: readonly FunctionModel[],
): ContractFlow => {
  const contractFlow = new ContractFlow(by.model, contract, by.budget, by.shared)
  contractFlow.flows =
    contract.contractKind === 'library'
      ? libraryFlows(by, contractFlow, functions)
      : allFlows(by, contractFlow, contract)
  return contractFlow
}

export const followFreeFunctions = (by: Following, functions: readonly FunctionModel[]): ContractFlow => {
  const contractFlow = new ContractFlow(by.model, null, by.budget, by.shared)
  const flows: Flow[] = []
  for (const fn of functions) addFlow(by, contractFlow, fn, 'free', flows)
  contractFlow.flows = flows
  return contractFlow
}

/** What contracts can call, then what none of these runs. */
const libraryFlows = (by: Following, contractFlow: ContractFlow, functions: readonly FunctionModel[]): Flow[] => {
  const isOpen = ({ visibility }: FunctionModel): boolean => visibility === 'public' || visibility === 'external'
  const flows: Flow[] = []
  for (const fn of functions) if (isOpen(fn)) addFlow(by, contractFlow, fn, 'library', flows)
  const covered = new Covered(flows, { strict: true })
  for (const fn of functions) if (!isOpen(fn) && !covered.includes(fn)) addFlow(by, contractFlow, fn, 'library', flows)
  return flows
}

const allFlows = (by: Following, contractFlow: ContractFlow, contract: ContractModel): Flow[] => {
  const flows: Flow[] = []
  const construction = followConstruction(by, contractFlow, contract)
  if (construction !== null) flows.push(construction)
  for (const fn of contract.entryPoints) {
    if (fn.isStub || !fn.isImplemented || fn.role === 'constructor') continue
    addFlow(by, contractFlow, fn, fn.role === 'fallback' || fn.role === 'receive' ? fn.role : 'entry', flows)
  }
  addUnreached(by, contractFlow, contract, flows)
  return flows
}

/** Functions that none of the flows so far runs: overridden ones, and inner ones that wait for a deriving contract. */
const addUnreached = (by: Following, contractFlow: ContractFlow, contract: ContractModel, flows: Flow[]): void => {
  const { allFunctions } = contract
  const entryPoints = new Set(contract.entryPoints)
  const covered = new Covered(flows)
  for (const fn of allFunctions) {
    if (entryPoints.has(fn)) continue
    if (fn.isStub || !fn.isImplemented || fn.role === 'constructor' || covered.includes(fn)) continue
    const isOverridden = fn.visibility === 'public' || fn.visibility === 'external'
    addFlow(by, contractFlow, fn, isOverridden ? 'entry' : 'internal', flows)
  }
}

const followConstruction = (by: Following, contractFlow: ContractFlow, contract: ContractModel): Flow | null => {
  if (!contract.linearization.some(isConstructed)) return null
  const ir = by.lowering.construction(contract)
  if (ir.ops.length <= 1 && ir.problems.length === 0) return null
  by.weight.add(flowWeight + ir.ops.length)
  return new Flow(by.model, contract.constructor_, contract, 'constructor', ir, contractFlow)
}

const isConstructed = (contract: ContractModel): boolean =>
  (contract.constructor_?.isImplemented ?? false) ||
  contract.stateVariables.some((variable) => variable.value !== null && !variable.isConstant)

const addFlow = (by: Following, contractFlow: ContractFlow, fn: FunctionModel, kind: FlowKind, flows: Flow[]): void => {
  if (!by.weight.hasRoom()) return
  const flow = flowOf(by, contractFlow, fn, kind)
  by.weight.add(flow.contractFlow === contractFlow ? flowWeight + flow.ir.ops.length : sharedFlowWeight)
  flows.push(flow)
}

const flowOf = (by: Following, contractFlow: ContractFlow, fn: FunctionModel, kind: FlowKind): Flow => {
  const { contract } = contractFlow
  const known = by.cache.of(fn).find(({ ir }) => contract !== null && agrees(by.model, ir, contract))
  if (known !== undefined) return known
  const flow = new Flow(by.model, fn, contract, kind, by.lowering.function(fn, contract), contractFlow)
  by.cache.add(fn, flow)
  return flow
}

/** Every question that dispatch answered while lowering has the same answer in this contract. */
const agrees = (model: Model, { decisions }: Ir, contract: ContractModel): boolean =>
  decisions.every((decision) => answerTo(model, decision, contract) === decision.got)

const answerTo = (model: Model, decision: Decision, contract: ContractModel): object | null => {
  if (decision.use !== null) return model.modifierFor(decision.use, contract)
  const fn = decision.called as FunctionModel
  if (decision.from !== null) return model.superOf(fn, decision.from, contract) ?? fn
  return decision.virtual ? model.dispatch(fn, contract) : fn
}
