import {
  dependsOn,
  endsInRevert,
  type Fact,
  fromFactsAt,
  guardsAt,
  isCallerChecked,
  parametersOf,
  type Recovery,
} from '../../facts/index.ts'
import { isHash, isSameKind, keysOf, loweredBy, raisedBy } from '../../idioms/index.ts'
import {
  type Flow,
  isEquality,
  isZero,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { excuse } from '../define-detector.ts'
import { loadsIn, type Replay } from './replay.ts'

/** Why the same message does not count twice. */
export const excuses = [
  excuse<Replay>('guarded', 'the caller is checked', isGuarded),
  excuse<Replay>('nonce-moves-on', 'the message contains state that the function changes', holdsNonce),
  excuse<Replay>('marked', 'state about the message is checked and updated', isMarked),
  excuse<Replay>('unknown-record', 'a function or record in a missing file is consulted', hasUnknownCheck),
  excuse<Replay>('signers-own', 'the nonce is looked up by the required signer', isSignersOwn),
]

function isGuarded({ flow, effect }: Replay): boolean {
  return effect !== null && isCallerChecked(flow, effect, ({ against }) => against !== 'signature')
}

const conditionsAt = (flow: Flow, effect: Op): Op[] => guardsAt(flow, effect).map(({ condition }) => condition)

/** Variables that this call changes for good: set, cleared, counted on. */
const markedIn = (flow: Flow): ReadonlySet<VariableModel | null> => flow.answer(findMarked)

const findMarked = (flow: Flow): ReadonlySet<VariableModel | null> =>
  new Set(
    flow
      .stateStores()
      .filter((store) => isMark(flow, store))
      .map(({ location }) => location.variable),
  )

/** Reads of such variables that decide whether an operation is reached, kept: each of many signatures may stand before each of many effects. */
const markedReadsAt = (flow: Flow, op: Op): readonly LoadOp[] => {
  const marked = markedIn(flow)
  if (marked.size === 0) return []
  return flow.remember(markedReadsAt, op, () => {
    const all = conditionsAt(flow, op).flatMap((condition) => loadsIn(flow, condition))
    return [...new Set(all)].filter(({ location }) => marked.has(location.variable))
  })
}

/** Set to something new, counted by one, or used up towards a limit that is the message's own: `filled[hash] += amount`. */
const isMark = (flow: Flow, store: StoreOp): boolean => {
  if (store.flag || isMarkValue(stripCasts(store.args[0]))) return true
  if (raisedBy(store) !== null) return keysOf(store.location).some((key) => dependsOn(flow, key, isHash))
  return loweredBy(store) === null && keysOf(store.location).length > 0
}

/** Also a field of a record that is written as a whole. */
const isMarkValue = (value: Op): boolean => {
  if (value.kind === 'const' || value.kind === 'param' || value.kind === 'env') return true
  if (value.kind === 'make') return value.args.some((field) => isMarkValue(stripCasts(field)))
  return value.kind === 'bin' && (value.args.some((arg) => arg.kind === 'const') || setsBits.has(value.operator))
}

/** One bit of many is the message's own. */
const setsBits = new Set(['|', '^'])

function holdsNonce({ flow, recovery, effect }: Replay): boolean {
  if (effect === null) return false
  const marked = markedIn(flow)
  return loadsIn(flow, recovery.digest).some(({ location }) => marked.has(location.variable))
}

function isMarked({ flow, recovery, effect }: Replay): boolean {
  if (effect === null) return false
  if (effect.kind === 'store' && isSetOnce(guardsAt(flow, effect), effect)) return true
  const reads = [...markedReadsAt(flow, effect), ...refusingReadsAt(flow, recovery.op)]
  if (reads.length > 0 && isAnyAboutMessage(flow, effect, reads, recovery)) return true
  return isRefusedOnEachPath(flow, recovery, effect)
}

/** Each of several ways has a check of its own: nobody gets to the effect without passing one. */
const isRefusedOnEachPath = (flow: Flow, recovery: Recovery, effect: Op): boolean => {
  const marked = markedIn(flow)
  const checked = new Set<number>()
  for (const { condition, block } of marked.size === 0 ? [] : flow.answer(refusalsOf)) {
    const reads = loadsIn(flow, condition).filter(({ location }) => marked.has(location.variable))
    if (reads.length > 0 && isAnyAboutMessage(flow, effect, reads, recovery)) checked.add(block)
  }
  if (checked.size < 2) return false
  const seen = new Set([0])
  for (const id of seen) {
    if (checked.has(id)) continue
    if (id === effect.block) return false
    for (const next of flow.blocks[id]!.succs) seen.add(next)
  }
  return true
}

const refusalsOf = (flow: Flow): readonly { readonly condition: Op; readonly block: number }[] => [
  ...flow.ops('assume').map(({ args, block }) => ({ condition: args[0], block })),
  ...flow.blocks.flatMap(({ condition, succs, id }) =>
    condition !== null && succs.some((next) => endsInRevert(flow, next)) ? [{ condition, block: id }] : [],
  ),
]

/** `if (found[id] != 0) return; found[id] = hash`: the second time something stands there, wherever the records lie. */
const isSetOnce = (conditions: readonly Fact[], { location, args: [value] }: StoreOp): boolean =>
  isHash(stripCasts(value)) &&
  conditions.some(
    ({ condition, polarity }) =>
      condition.kind === 'bin' &&
      condition.operator === (polarity ? '==' : '!=') &&
      condition.args.some((side) => isZero(stripCasts(side))) &&
      condition.args.some((side) => isSameEntry(stripCasts(side).location, location)),
  )

const isSameEntry = (place: Location | null, other: Location): boolean => {
  if (place === null || !isSameKind(place, other)) return false
  const keys = keysOf(other)
  return keys.length > 0 && keysOf(place).every((key, i) => keys[i] !== undefined && sameValue(key, keys[i]))
}

/** Reads of such variables on which nobody gets past: who comes with the same message again is undone, in whichever round of a loop. */
const refusingReadsAt = (flow: Flow, op: Op): readonly LoadOp[] => {
  const marked = markedIn(flow)
  if (marked.size === 0) return []
  return guardsAt(flow, op)
    .filter((fact) => isRefusal(flow, fact))
    .flatMap(({ condition }) => loadsIn(flow, condition))
    .filter(({ location }) => marked.has(location.variable))
}

/** A `require`, or a branch whose other side reverts. */
const isRefusal = (flow: Flow, { op, condition, polarity }: Fact): boolean =>
  op.kind === 'assume' || flow.branchesOn(condition).some(({ succs }) => endsInRevert(flow, succs[polarity ? 1 : 0]!))

/** State is looked up by the signer, the signature or something that the message holds, or it concerns everybody. */
const isAnyAboutMessage = (flow: Flow, effect: Op, loads: readonly LoadOp[], recovery: Recovery): boolean => {
  const { op: signer, digest, signature } = recovery
  const keys = loads.map(({ location }) => keysOf(location))
  if (keys.some(({ length }) => length === 0)) return true
  const message = [digest, ...signature]
  const signed = parametersOf(flow, message)
  for (const same of equalsOf(flow, effect, signed)) signed.add(same)
  const about = new Set<Op>([signer, ...sameSigners(flow, effect, signer), ...message, ...signed])
  return keys.some((of) => of.some((key) => dependsOn(flow, key, (op) => about.has(op))))
}

/** `require(first == second)`, of two that signed: whatever is kept for the one is kept for the other. */
const sameSigners = (flow: Flow, effect: Op, signer: Op): Op[] =>
  guardsAt(flow, effect).flatMap(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return []
    const [left, right] = condition.args.map(stripCasts) as [Op, Op]
    return left === signer ? [right] : right === signer ? [left] : []
  })

/** `require(sha256(text) == digest)`: who signed the one signed the other. */
const equalsOf = (flow: Flow, effect: Op, signed: ReadonlySet<Op>): Op[] =>
  guardsAt(flow, effect).flatMap(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return []
    const [left, right] = condition.args.map(stripCasts) as [Op, Op]
    if (signed.has(left)) return [...parametersOf(flow, [right])]
    return signed.has(right) ? [...parametersOf(flow, [left])] : []
  })

function hasUnknownCheck({ flow, effect }: Replay): boolean {
  return effect !== null && (flow.answer(runsUnknown) || fromFactsAt(flow, effect, unknownIn).length > 0)
}

const runsUnknown = (flow: Flow): boolean =>
  flow.ops('call').some(({ call }) => !call.inlined && call.kind === 'internal')

const unknownIn = (flow: Flow, { condition }: Fact): readonly Op[] =>
  dependsOn(flow, condition, isUnknown, { isKept: true }) ? [condition] : []

const isUnknown = ({ kind }: Op): boolean => kind === 'unknown'

function isSignersOwn({ flow, recovery, nonce }: Replay): boolean {
  const key = nonce === null ? undefined : keysOf(nonce.location)[0]
  if (key === undefined) return false
  return flow
    .ops('bin')
    .some(
      ({ operator, args }) =>
        isEquality(operator) &&
        args.some((side) => stripCasts(side) === key) &&
        args.some((side) => dependsOn(flow, side, (op) => op === recovery.op)),
    )
}
