import { dependsOn, guardsAt, isProtected, Source, taintOf } from '../../facts/index.ts'
import { type Flow, type Op, oncePerPlace, rootOf, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const chosen = Source.param | Source.data | Source.outsiderState

/** Somebody else's request is passed on: its data, or data made from what was handed in. */
const passesOn = (flow: Flow, call: Op): boolean =>
  call.args.some((data) => data.kind !== 'const' && (taintOf(flow, data) & chosen) !== 0)

/** The gas is looked at: here, by an option of the call, or by a limit that goes along to the receiver. */
const checksGas = (flow: Flow, call: Op): boolean => {
  if (call.call!.gas !== null) return true
  const isGas = (op: Op): boolean =>
    (op.kind === 'builtin' && (op.operator === 'gasleft' || op.operator === 'gas')) ||
    (op.kind === 'env' && op.operator === 'msg.gas')
  if (guardsAt(flow, call).some(({ condition }) => dependsOn(flow, condition, isGas))) return true
  return call.args.some((data) => dependsOn(flow, data, (op) => op.kind === 'param' && flow.typeOf(op)?.kind === 'int'))
}

/** Sets state to something fixed, as a mark does. */
const isMark = (store: Op): boolean => {
  const value = stripCasts(store.args[0]!)
  return value.kind === 'const' && value.constant !== 0n && rootOf(store.location!).variable !== null
}

/** The mark that the request was handled: tested before and set for good, whatever the call answers. */
const markBefore = (flow: Flow, call: Op): Op | undefined =>
  flow.stateStores().find((store) => {
    if (!isMark(store) || !flow.dominates(store, call)) return false
    const { variable } = rootOf(store.location!)
    const isTested = guardsAt(flow, call).some(({ condition }) =>
      dependsOn(flow, condition, (op) => op.kind === 'load' && op.location!.variable === variable),
    )
    const isTakenBack = flow
      .stateStores()
      .some((other) => other !== store && other.location!.variable === variable && flow.canFollow(call, other))
    return isTested && !isTakenBack
  })

/** A failure of the inner call does not undo the mark. */
const survivesFailure = (flow: Flow, call: Op): boolean => {
  if (call.call!.bubbles && !call.call!.isTried) return false
  return !flow
    .ops('assume')
    .some((assume) => flow.canFollow(call, assume) && dependsOn(flow, assume.args[0]!, (op) => op === call))
}

/** `if (!success) revert();` */
const isRefused = (flow: Flow, call: Op): boolean =>
  flow
    .ops('revert')
    .some((revert) => guardsAt(flow, revert).some(({ condition }) => dependsOn(flow, condition, (op) => op === call)))

const findRelays = (flow: Flow, hits: Hit[]): void => {
  for (const call of flow.externalCalls()) {
    const { kind, isTried } = call.call!
    if (kind !== 'lowlevel' && !(kind === 'external' && isTried)) continue
    if (!passesOn(flow, call) || !survivesFailure(flow, call) || checksGas(flow, call)) continue
    if (isProtected(flow, call) || isRefused(flow, call)) continue
    const mark = markBefore(flow, call)
    if (mark === undefined) continue
    hits.push({
      at: call,
      message:
        'The request counts as handled even if this call fails: whoever relays it can give just enough gas for that.',
      trace: [{ at: mark, message: 'Marked as handled here.' }],
    })
  }
}

export default defineDetector({
  id: 'insufficient-gas-griefing',
  swc: 'SWC-126',
  title: 'Relayed call can be starved of gas',
  severity: 'low',
  confidence: 'medium',
  description:
    'A contract carries out requests of others and marks them as done also when the inner call fails. The relayer chooses the gas: with too little of it the request fails for good and can never be repeated.',
  recommendation:
    'Require that enough gas is left for the inner call (the signer states how much), or revert when it fails.',
  references: ['https://swcregistry.io/docs/SWC-126'],
  cwe: ['CWE-691'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) if (flow.stateStores().some(isMark)) findRelays(flow, hits)
    return oncePerPlace(hits)
  },
})
