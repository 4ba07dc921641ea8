import { type GrownBy, grownBy, implementedBy } from '../../facts/index.ts'
import { type CallOp, type Context, type Flow, fieldPath, type Op, stripCasts } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'

/** Who can make the list longer that a call answers with; unknown: the contract that keeps it is not among the files, or does not say. */
export interface Keeper {
  readonly grower: GrownBy | 'unknown'
  readonly contract: ContractModel | null
}

const unknown: Keeper = { grower: 'unknown', contract: null }

/** The contracts of the scan that may stand behind the call; the one in which most people can add something decides. */
export const keeperOf = (context: Context, flow: Flow, { call: { definition } }: CallOp): Keeper => {
  if (definition === null) return unknown
  const behind = definition.isImplemented ? [definition] : implementedBy(flow, definition)
  const keepers = behind.map((fn) => keeperIn(context, fn))
  return widths.map((width) => keepers.find(({ grower }) => grower === width)).find(isFound) ?? unknown
}

const widths: readonly Keeper['grower'][] = ['anyone', 'unknown', 'self', 'privileged', 'none']

const isFound = (keeper: Keeper | undefined): keeper is Keeper => keeper !== undefined

const keeperIn = (context: Context, fn: FunctionModel): Keeper => {
  const flow = context.flowOf(fn)
  // Of a contract of another part it is not known who writes its state.
  if (flow === undefined || flow.isPartial || flow.contractFlow.contract === null) return unknown
  const growers = flow.ops('return').map(({ args }) => growerOf(flow, args))
  const grower = widths.find((width) => growers.includes(width))
  return grower === undefined ? unknown : { grower, contract: flow.contractFlow.contract }
}

/** A list in its storage, or how long one is. */
const growerOf = ({ contractFlow }: Flow, answers: readonly Op[]): Keeper['grower'] => {
  const answer = answers.length === 1 ? stripCasts(answers[0]!) : null
  if (answer?.kind !== 'load' || answer.location.space !== 'state' || answer.location.variable === null)
    return 'unknown'
  const { variable, part, type } = answer.location
  const path = fieldPath(answer.location)
  if (part === 'length') return grownBy(contractFlow, variable, true, path)
  if (type?.kind === 'array' && type.length === null) return grownBy(contractFlow, variable, true, `${path}.length`)
  return type?.kind === 'int' ? grownBy(contractFlow, variable, false, path) : 'unknown'
}
