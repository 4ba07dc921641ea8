import { implementedBy, isSender } from '../../facts/index.ts'
import { type CallOp, type Flow, stripCasts } from '../../ir/index.ts'
import type { FunctionModel, Model } from '../../model/index.ts'
import { walk } from '../../syntax/index.ts'

/**
 * Whom the contracts of the scan that call a function name to it, in the place of one of its parameters: their own caller, always;
 * someone else, on some way; or it cannot be read.
 */
export const namedByCallers = (flow: Flow, index: number): 'their caller' | 'others' | 'unread' => {
  const { fn } = flow
  const callers =
    fn === null ? [] : (callersByName(flow).get(fn.name) ?? []).filter(({ contract }) => contract !== fn.contract)
  const passed = callers.flatMap((caller) => {
    const by = flow.contractFlow.follow(caller)
    const isRead = caller.visibility === 'external' || caller.visibility === 'public'
    return by.externalCalls().flatMap((call) => (isCallOf(by, call, fn!) ? [{ call, isRead }] : []))
  })
  if (passed.length === 0 || passed.some(({ isRead }) => !isRead)) return 'unread'
  return passed.every(({ call: { args } }) => args[index] !== undefined && isSender(stripCasts(args[index])))
    ? 'their caller'
    : 'others'
}

const isCallOf = (by: Flow, { call: { definition, name } }: CallOp, fn: FunctionModel): boolean =>
  name === fn.name && definition !== null && (definition === fn || implementedBy(by, definition).includes(fn))

/** Functions of the scan by the names of the members that they call. */
const callersByName = ({ model, contractFlow }: Flow): ReadonlyMap<string, readonly FunctionModel[]> => {
  const known = contractFlow.shared.answer(createIndexes)
  let index = known.get(model)
  if (index === undefined) {
    index = indexCalls(model)
    known.set(model, index)
  }
  return index
}

const createIndexes = (): Map<Model, ReadonlyMap<string, readonly FunctionModel[]>> => new Map()

const indexCalls = ({ contracts }: Model): ReadonlyMap<string, readonly FunctionModel[]> => {
  const index = new Map<string, FunctionModel[]>()
  for (const fn of contracts.flatMap(({ functions }) => functions)) {
    const names = new Set<string>()
    if (fn.node.body !== null)
      walk(fn.node.body, (node) => {
        if (node.kind === 'Call' && node.callee.kind === 'Member') names.add(node.callee.name.name)
        return true
      })
    for (const name of names) index.set(name, [...(index.get(name) ?? []), fn])
  }
  return index
}
