import {
  dependsOn,
  findDependency,
  guardsAt,
  parametersOf,
  type Recovery,
  recoveriesOf,
  senderGuardsAt,
} from '../../facts/index.ts'
import { type Flow, type Location, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Pays, moves tokens or counts something up: doing it twice is worth something. */
const effectsOf = (flow: Flow, after: Op): Op[] => {
  const calls = flow.externalCalls().filter(({ call }) => !call!.isStatic && call!.kind !== 'create')
  const counts = flow.stateStores().filter((store) => {
    const value = stripCasts(store.args[0]!)
    return value.kind === 'bin' && (value.operator === '+' || value.operator === '-') && !value.args.some(isOne)
  })
  return [...calls, ...counts].filter((effect) => flow.canFollow(after, effect))
}

const isOne = (op: Op): boolean => op.kind === 'const' && op.constant === 1n

const loadsIn = (flow: Flow, value: Op): Op[] => {
  const loads: Op[] = []
  findDependency(flow, value, (op) => {
    if (op.kind === 'load' && op.location!.variable !== null) loads.push(op)
    return false
  })
  return loads
}

/** A mark that changes for good: true, one more, or the number that the message carries. */
const isMark = (store: Op): boolean => {
  const value = stripCasts(store.args[0]!)
  if (store.flag || value.kind === 'const' || value.kind === 'param') return true
  if (value.kind === 'env') return true
  return value.kind === 'bin' && (value.args.some((arg) => arg.kind === 'const') || value.operator === '|')
}

const keysOf = (location: Location): Op[] => {
  const keys: Op[] = []
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.index !== null) keys.push(at.index)
  return keys
}

/**
 * Something that this call changes decides whether the same message can come again: a nonce inside the message, or
 * state tested on the way.
 */
const isSpent = (flow: Flow, { op, digest, signature }: Recovery, effect: Op): boolean => {
  const marked = new Set<VariableModel | null>()
  for (const store of flow.stateStores()) if (isMark(store)) marked.add(store.location!.variable)
  for (const call of flow.ops('call')) if (!call.call!.inlined && call.call!.kind === 'internal') return true
  if (loadsIn(flow, digest).some((load) => marked.has(load.location!.variable))) return true
  if (asksRegister(flow, op, digest, effect)) return true
  // A record of a missing base is asked on the way: what it says is not known.
  if (guardsAt(flow, effect).some(({ condition }) => dependsOn(flow, condition, ({ kind }) => kind === 'unknown')))
    return true
  return guardsAt(flow, effect).some(({ condition }) =>
    [...loadsIn(flow, condition)].some(
      (load) => marked.has(load.location!.variable) && isAboutMessage(flow, load, op, [digest, ...signature]),
    ),
  )
}

/** Another contract keeps the record: it is asked about the message on the way. */
const asksRegister = (flow: Flow, signer: Op, digest: Op, effect: Op): boolean => {
  const signed = parametersOf(flow, [digest])
  const isAboutIt = (op: Op): boolean => op === signer || op === digest || signed.has(op)
  const asks = (op: Op): boolean =>
    op.kind === 'call' && op.call!.kind === 'external' && op.args.some((arg) => dependsOn(flow, arg, isAboutIt))
  return guardsAt(flow, effect).some(({ condition }) => dependsOn(flow, condition, asks))
}

/** The state is looked up by the signer, the signature or something that the message holds, or it concerns everybody. */
const isAboutMessage = (flow: Flow, load: Op, signer: Op, message: readonly Op[]): boolean => {
  const keys = keysOf(load.location!)
  if (keys.length === 0) return true
  const signed = parametersOf(flow, message)
  return keys.some((key) => dependsOn(flow, key, (op) => op === signer || message.includes(op) || signed.has(op)))
}

const isOpen = (flow: Flow, effect: Op): boolean =>
  senderGuardsAt(flow, effect).every(({ against }) => against === 'signature')

const findReplays = (flow: Flow, hits: Hit[]): void => {
  const isReader = flow.fn?.mutability === 'view' || flow.fn?.mutability === 'pure'
  if (isReader || flow.isPartial || flow.has('opaque')) return
  for (const recovery of recoveriesOf(flow)) {
    if (parametersOf(flow, [recovery.digest]).size === 0) continue
    const effect = effectsOf(flow, recovery.op).find((candidate) => isOpen(flow, candidate))
    if (effect === undefined || isSpent(flow, recovery, effect)) continue
    hits.push({
      at: flow.inCommonCaller(recovery.op, effect),
      message: 'Nothing keeps the same signature from being used again.',
      trace: [...flow.trace(recovery.op), { at: effect, message: 'This happens once more on every replay.' }],
    })
  }
}

/** The number that the message uses up is kept for an account that the message does not name: it holds for every other too. */
const findForeignNonces = (flow: Flow, hits: Hit[]): void => {
  for (const { op, digest } of recoveriesOf(flow)) {
    const named = parametersOf(flow, [digest])
    for (const load of loadsIn(flow, digest)) {
      const [key] = keysOf(load.location!).map(stripCasts)
      if (key?.kind !== 'param' || named.has(key) || dependsOn(flow, digest, (part) => stripCasts(part) === key))
        continue
      if (isComparedWithSigner(flow, op, key)) continue
      hits.push({
        at: flow.inEntry(op),
        message:
          'The signed message does not say for whom its number is used up: it can be used once for every other account.',
        trace: [
          { at: { start: load.start, end: load.end }, message: 'The number is looked up by what the caller names.' },
        ],
      })
    }
  }
}

const isComparedWithSigner = (flow: Flow, signer: Op, key: Op): boolean =>
  flow.ops('bin').some(({ operator, args }) => {
    if (operator !== '==' && operator !== '!=') return false
    return (
      args.some((side) => stripCasts(side) === key) && args.some((side) => dependsOn(flow, side, (op) => op === signer))
    )
  })

export default defineDetector({
  id: 'signature-replay',
  swc: 'SWC-121',
  title: 'Signature can be used again',
  severity: 'high',
  confidence: 'medium',
  description:
    'A signed message pays or moves something, and neither a nonce nor a record of used messages ends its validity. Whoever has seen it on the chain can send it again.',
  recommendation: 'Put a nonce of the signer into the message and raise it, or mark the message as used before acting.',
  references: ['https://swcregistry.io/docs/SWC-121'],
  cwe: ['CWE-347'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) {
      findReplays(flow, hits)
      findForeignNonces(flow, hits)
    }
    return oncePerPlace(hits)
  },
})
