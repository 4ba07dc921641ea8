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
import { isRuledOut } from './ruled-out.ts'
import { strongComponents } from './strong-components.ts'

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

const createSummaries = (): Map<FunctionModel, Summary> => new Map()

/** Libraries and free functions do the same in every contract. */
const summariesFor = (contractFlow: ContractFlow, { contract }: FunctionModel): Map<FunctionModel, Summary> =>
  contract === null || contract.contractKind === 'library'
    ? contractFlow.shared.answer(createSummaries)
    : contractFlow.answer(createSummaries)

/** The sum of what a function does when it was not inlined: its own effects and those of all that it may run. */
const summaryOf = (contractFlow: ContractFlow, fn: FunctionModel): Summary => {
  const knownOf = (each: FunctionModel): Summary | undefined => summariesFor(contractFlow, each).get(each)
  const effects = new Map<FunctionModel, Effects>()
  const calleesOf = (each: FunctionModel): readonly FunctionModel[] => {
    if (knownOf(each) !== undefined) return []
    const own = effectsOf(contractFlow.followBriefly(each))
    effects.set(each, own)
    return own.callees
  }
  // Callees come before their callers, and functions that call each other are one: no sum rests on one that is not complete.
  for (const group of strongComponents(fn, calleesOf)) {
    const own = group.flatMap((each) => effects.get(each) ?? [])
    if (own.length === 0) continue
    const callees = new Set(own.flatMap((each) => each.callees))
    const sum = sumOf([...own, ...[...callees].flatMap((each) => knownOf(each) ?? [])])
    for (const each of group) summariesFor(contractFlow, each).set(each, sum)
  }
  return knownOf(fn)!
}

/** What a body does by itself, and what it leaves to others. */
interface Effects extends Summary {
  readonly callees: readonly FunctionModel[]
}

const effectsOf = (body: Flow): Effects => ({
  writes: variablesOf(body.stateStores()),
  reads: variablesOf(body.stateLoads()),
  calls: body.externalCalls().some(canCallBack),
  sends: body.sends().length > 0,
  callees: distinct(summarisedCalls(body).map(({ call }) => call.definition!)),
})

const sumOf = (parts: readonly Summary[]): Summary => ({
  writes: distinct(parts.flatMap(({ writes }) => writes)),
  reads: distinct(parts.flatMap(({ reads }) => reads)),
  calls: parts.some(({ calls }) => calls),
  sends: parts.some(({ sends }) => sends),
})

const variablesOf = (ops: readonly (LoadOp | StoreOp)[]): VariableModel[] =>
  ops.flatMap(({ location }) => location.variable ?? [])

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)]

const canCallBack = ({ call }: CallOp): boolean => call.gasKind !== 'stipend' && !call.isStatic

/** Parameters of a function (of any contract) that it calls with enough gas to call back. */
export const parametersCalledBy = (contractFlow: ContractFlow, fn: FunctionModel): readonly number[] =>
  contractFlow.shared.remember(parametersCalledBy, fn, () => calledParameters(contractFlow.follow(fn)), [])

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

/** Nothing is ever written down once it is deployed: what someone gains by a call they gain within it. */
export const keepsNothing = (contractFlow: ContractFlow): boolean => contractFlow.answer(findKeepsNothing)

const findKeepsNothing = ({ flows }: ContractFlow): boolean =>
  flows.every((flow) => flow.isConstructor || !writesState(flow))

/** All state writes. */
export const writesOf = (flow: Flow): Write[] => writesWhere(flow, () => true)

/** State written after `op` can have run, in callees and modifiers too. */
export const writesAfter = (flow: Flow, op: Op): Write[] => writesWhere(flow, (write) => flow.canFollow(op, write))

const writesWhere = (flow: Flow, includes: (op: Op) => boolean): Write[] => [
  ...flow.answer(possibleStores).filter(includes).map(writeOf),
  ...summarisedCalls(flow)
    .filter(includes)
    .flatMap((call) => writesOfCallee(flow, call)),
]

const possibleStores = (flow: Flow): readonly StoreOp[] =>
  flow.stateStores().filter((store) => !isRuledOut(flow, store))

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
