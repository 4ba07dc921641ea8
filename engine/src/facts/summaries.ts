/** What a function does in sum, and what state is written and read around an operation, callees that were not inlined included. */
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import type { FunctionModel, VariableModel } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'

export interface Summary {
  readonly writes: readonly VariableModel[]
  readonly reads: readonly VariableModel[]
  /** It may hand control to another contract with enough gas to call back. */
  readonly calls: boolean
  /** It may send ether. */
  readonly sends: boolean
}

/** A write to state: by a store, or by a call that was not inlined. */
export interface Write extends Span {
  readonly op: Op
  readonly variable: VariableModel | null
  readonly location: Location | null
}

const emptySummary: Summary = { writes: [], reads: [], calls: false, sends: false }

const createSummaries = (): Map<FunctionModel, Summary> => new Map()

/** The sum of what a function does when it was not inlined. */
const summaryOf = (contractFlow: ContractFlow, fn: FunctionModel): Summary => {
  const summaries = contractFlow.answer(createSummaries)
  let known = summaries.get(fn)
  if (known === undefined) {
    // Stands for it in recursion.
    summaries.set(fn, emptySummary)
    known = summarise(contractFlow, contractFlow.follow(fn, contractFlow.contract))
    summaries.set(fn, known)
  }
  return known
}

const summarise = (contractFlow: ContractFlow, flow: Flow): Summary => {
  const inner = summarisedCalls(flow).map((call) => summaryOf(contractFlow, call.call.definition!))
  return {
    writes: distinct([...variablesOf(flow.stateStores()), ...inner.flatMap(({ writes }) => writes)]),
    reads: distinct([...variablesOf(flow.stateLoads()), ...inner.flatMap(({ reads }) => reads)]),
    calls: flow.externalCalls().some(canCallBack) || inner.some(({ calls }) => calls),
    sends: flow.sends().length > 0 || inner.some(({ sends }) => sends),
  }
}

const variablesOf = (ops: readonly (LoadOp | StoreOp)[]): VariableModel[] =>
  ops.flatMap(({ location }) => location.variable ?? [])

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)]

const canCallBack = ({ call }: CallOp): boolean => call.gasKind !== 'stipend' && !call.isStatic

const createCalledParameters = (): Map<FunctionModel, readonly number[]> => new Map()

/** Parameters of a function (of any contract) that it calls with enough gas to call back. */
export const parametersCalledBy = (contractFlow: ContractFlow, fn: FunctionModel): readonly number[] => {
  const byFunction = contractFlow.shared.answer(createCalledParameters)
  let known = byFunction.get(fn)
  if (known === undefined) {
    byFunction.set(fn, [])
    known = calledParameters(contractFlow.follow(fn))
    byFunction.set(fn, known)
  }
  return known
}

const calledParameters = (flow: Flow): readonly number[] => {
  const called = flow
    .externalCalls()
    .filter((op) => canCallBack(op) && op.call.target !== null)
    .map((op) => flow.params.indexOf(stripCasts(op.call.target!)))
  return distinct(called.filter((index) => index >= 0))
}

/** Calls inside the contract that were not inlined: what they do is known as a sum. */
const summarisedCalls = (flow: Flow): readonly CallOp[] => flow.answer(findSummarised)

const findSummarised = (flow: Flow): readonly CallOp[] => flow.ops('call').filter(isSummarised)

const isSummarised = ({ call }: CallOp): boolean =>
  !call.inlined && call.definition !== null && (call.kind === 'internal' || call.kind === 'library')

/** Whether it writes state, itself or through a call that was not inlined. */
export const writesState = (flow: Flow): boolean =>
  flow.stateStores().length > 0 || (summarisedCalls(flow).length > 0 && writesOf(flow).length > 0)

/** Nothing is ever written down once it is deployed: what somebody gains by a call they gain within it. */
export const keepsNothing = (contractFlow: ContractFlow): boolean => contractFlow.answer(findKeepsNothing)

const findKeepsNothing = ({ flows }: ContractFlow): boolean =>
  flows.every((flow) => flow.isConstructor || !writesState(flow))

/** All state writes. */
export const writesOf = (flow: Flow): Write[] => writesWhere(flow, () => true)

/** State written after `op` can have run, in callees and modifiers too. */
export const writesAfter = (flow: Flow, op: Op): Write[] => writesWhere(flow, (write) => flow.canFollow(op, write))

const writesWhere = (flow: Flow, includes: (op: Op) => boolean): Write[] => [
  ...flow.stateStores().filter(includes).map(writeOf),
  ...summarisedCalls(flow)
    .filter(includes)
    .flatMap((call) => writesOfCallee(flow, call)),
]

const writeOf = (store: StoreOp): Write => ({
  op: store,
  variable: store.location.variable,
  location: store.location,
  start: store.start,
  end: store.end,
})

const writesOfCallee = (flow: Flow, call: CallOp): Write[] =>
  summaryOf(flow.contractFlow, call.call.definition!).writes.map((variable) => ({
    op: call,
    variable,
    location: null,
    start: call.start,
    end: call.end,
  }))
