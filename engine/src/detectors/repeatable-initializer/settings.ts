/** Settings of the whole contract that any caller replaces at any time, and that other functions work with. */
import { isCallersNumber, isSender, isUnconditional } from '../../facts/index.ts'
import { type Column, columnOf, isInColumn, keysOf, loweredBy, raisedBy } from '../../idioms/index.ts'
import { type Flow, type LoadOp, type StoreOp, stripCasts } from '../../ir/index.ts'

export interface Replaced {
  readonly store: StoreOp
  readonly column: Column
}

/** `token = token_`: the caller's word, the last that the call writes there, and nothing on record is checked first. */
const replacedBy = (flow: Flow): readonly Replaced[] => {
  const stores = flow.stateStores()
  return stores.flatMap((store, i): readonly Replaced[] => {
    const { location, args } = store
    const column = columnOf(location)
    if (column === null || keysOf(location).length > 0 || location.part === 'length') return []
    if (raisedBy(store) !== null || loweredBy(store) !== null) return []
    if (!isCallersNumber(flow, args[0]) && !isSender(args[0])) return []
    const isLast = !stores.slice(i + 1).some((later) => later.location === location)
    return isLast && isUnconditional(flow, store) ? [{ store, column }] : []
  })
}

const otherReads = (flow: Flow, { column }: Replaced): readonly { readonly flow: Flow; readonly op: LoadOp }[] =>
  flow.contractFlow
    .readersOf(column.variable)
    .filter((read) => read.flow !== flow && !read.flow.isConstructor && isInColumn(read.op.location, column))

/** Not only shown by a getter. */
const isUsed = (flow: Flow, setting: Replaced): boolean =>
  otherReads(flow, setting).some(({ flow: reader, op }) => reader.usersOf(op).some(({ kind }) => kind !== 'return'))

/** Another function calls the contract whose address it is. */
export const isCalled = (flow: Flow, setting: Replaced): boolean =>
  otherReads(flow, setting).some(({ flow: reader, op }) =>
    reader.externalCalls().some(({ call }) => call.target !== null && stripCasts(call.target) === op),
  )

/** Several settings at once are a set-up; a single one counts where its contract is called. The first is the one that matters most. */
export const settingsReplacedBy = (flow: Flow): readonly Replaced[] => {
  const all = replacedBy(flow)
  const called = all.filter((setting) => isCalled(flow, setting))
  const used = all.filter((setting) => isUsed(flow, setting))
  if (called.length > 0) return [...new Set([...called, ...used])]
  return all.length > 1 ? used : []
}
