import { dependsOn, isProtected, stateReadsOf } from '../../facts/index.ts'
import { columnOf, isInColumn, outgoingOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, isZero, type Location, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'

/**
 * `require(made[token] == address(0)); symbol = IToken(token).symbol(); made[token] = address(new Pool(token));`: a contract that the
 * caller names is asked something and told nothing. Nothing leaves, nobody else is told anything, and every entry that is
 * set is the callee's own, does not count up, rests on nothing that was read before, and is set nowhere else: one that
 * comes back sets its own entry twice.
 */
export const isOwnEntry = (flow: Flow, call: CallOp): boolean => {
  const callee = call.call.kind === 'external' && call.call.target !== null ? stripCasts(call.call.target) : null
  if (callee?.kind !== 'param' || call.call.value !== null || call.args.length > 0) return false
  if (flow.isPayable || flow.isPartial || flow.has('opaque') || outgoingOf(flow).length > 0) return false
  return (
    flow
      .stateStores()
      .every(
        (store) =>
          isKeyedBy(store.location, callee) &&
          !isCounted(flow, store) &&
          !isReadBefore(flow, store, call) &&
          !isSetElsewhere(flow, store),
      ) && flow.ops('call').every((other) => other === call || tellsNobody(other, callee))
  )
}

/** Asked like the callee itself, only asked, or a contract that was made right here. */
const tellsNobody = ({ call, args }: CallOp, callee: Op): boolean => {
  if (call.inlined || call.isStatic) return true
  if (call.kind === 'create') return call.value === null || isZero(call.value)
  const target = call.target === null ? null : stripCasts(call.target)
  if (call.kind !== 'external' || target === null || call.value !== null) return false
  return (target === callee && args.length === 0) || isMadeHere(target)
}

export const isMadeHere = ({ kind, call }: Op): boolean => kind === 'call' && call.kind === 'create'

const isKeyedBy = (location: Location, callee: Op): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && stripCasts(at.index) === callee) return true
  return false
}

/** The new value is made of what was there before. */
const isCounted = (flow: Flow, { args, location }: StoreOp): boolean =>
  dependsOn(flow, args[0], (op) => op.kind === 'load' && op.location.variable === location.variable)

/** What was there before the call, which the callee may have changed since. */
export const isReadBefore = (flow: Flow, { args }: StoreOp, call: CallOp): boolean =>
  stateReadsOf(flow, args[0]).some((read) => flow.canFollow(read, call))

/** Another function that the callee can call sets it too: what it did there meanwhile is written over. */
export const isSetElsewhere = (flow: Flow, { location }: StoreOp): boolean => {
  const column = columnOf(location)
  if (column === null) return true
  return flow.contractFlow
    .writersOf(column.variable)
    .some(
      ({ flow: writer, op }) =>
        writer !== flow && writer.isEntryPoint && isInColumn(op.location, column) && !isProtected(writer, op),
    )
}
