/** Records that a call opens by itself. */
import { type Flow, fieldPath, type Location, type Op, stripCasts } from '../ir/index.ts'
import { isUntrusted } from './chosen-values.ts'
import { dependsOn, findDependency } from './dependencies.ts'

/** The place belongs to a number that this call counts up, `records[++count]`: nothing was there before. */
export const isOpened = (flow: Flow, place: Location): boolean => {
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.index !== null && isCountedUp(flow, at.index)) return true
  return false
}

const isCountedUp = (flow: Flow, index: Op): boolean => {
  const key = stripCasts(index)
  if (key.kind === 'const' || key.kind === 'param' || key.kind === 'env') return false
  const isKept = key.kind === 'load' && key.location.space === 'memory'
  return flow.stateStores().some(({ args, location }) => {
    const next = findDependency(flow, args[0], (op) => isOneMore(op, location))
    if (next === undefined) return false
    const isCount = (op: Op): boolean => op === next || op === next.args[0] || op.location === location
    return isCount(key) || (isKept && dependsOn(flow, key, isCount))
  })
}

const isOneMore = ({ kind, operator, args }: Op, counter: Location): boolean =>
  kind === 'bin' &&
  operator === '+' &&
  args[1].kind === 'const' &&
  args[0].kind === 'load' &&
  args[0].location.variable === counter.variable &&
  fieldPath(args[0].location) === fieldPath(counter)

/** The place belongs to an id that another contract makes for this call, `records[ids.create(owner)]`. */
export const isMadeElsewhere = (flow: Flow, place: Location): boolean => {
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.index !== null && isNewAnswer(flow, stripCasts(at.index))) return true
  return false
}

/** What a contract answers that no outsider chose, and that may change its state. */
const isNewAnswer = (flow: Flow, key: Op): boolean => {
  if (key.kind !== 'call' || key.call.kind !== 'external' || key.call.target === null) return false
  const mutability = key.call.definition?.mutability
  return (mutability === 'nonpayable' || mutability === 'payable') && !isUntrusted(flow, key.call.target, key)
}
