import { dependsOn, runsOnce } from '../../facts/index.ts'
import { isConstant, keysOf, tokenCallOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, type StoreOp, sameValue, stripCasts } from '../../ir/index.ts'
import { isMadeHere, isReadBefore, isSetElsewhere } from './own-entry.ts'

/**
 * `require(!done); token.approve(router, max); owner = o; done = true;`: a callee that comes back sets up once more what is not set up
 * yet. Nothing is counted, credited or handed out by it, so it is as if it had been done once.
 */
export const isSetUp = (flow: Flow, call: CallOp): boolean =>
  call.call.value === null &&
  runsOnce(flow, call) &&
  !flow.isPartial &&
  !flow.has('opaque') &&
  flow.ops('call').every((other) => isSameTwice(other, call)) &&
  flow
    .stateStores()
    .every((store) => isPlain(flow, store) && (!flow.canFollow(call, store) || isLeft(flow, store, call)))

/** A question, an approval, a contract that was made right here, or something more that the callee itself is told. */
const isSameTwice = (other: CallOp, { call: { target: callee } }: CallOp): boolean => {
  const { inlined, isStatic, kind, value, target } = other.call
  if (inlined || isStatic) return true
  if (value !== null) return false
  if (kind === 'create' || tokenCallOf(other)?.name === 'approve') return true
  if (kind !== 'external' || target === null) return false
  return isMadeHere(stripCasts(target)) || (callee !== null && sameValue(target, callee))
}

/** One place for all, and not made of what was set here before: `supply += 1000` counts twice. */
const isPlain = (flow: Flow, { location, args }: StoreOp): boolean => {
  const places = flow.answer(placesSet)
  return (
    keysOf(location).every(isConstant) &&
    !dependsOn(flow, args[0], (op) => op.kind === 'load' && places.has(op.location))
  )
}

const placesSet = (flow: Flow): ReadonlySet<object> => new Set(flow.stateStores().map(({ location }) => location))

/** What the callee may do elsewhere, once it is set up, is not written over when this goes on. */
const isLeft = (flow: Flow, store: StoreOp, call: CallOp): boolean =>
  !isReadBefore(flow, store, call) && !isSetElsewhere(flow, store)
