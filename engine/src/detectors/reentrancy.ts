import { type Flow, mayOverlap, type Op, type Write } from '../flow/index.ts'
import { defineDetector, type Hit } from './detector.ts'

export default defineDetector({
  id: 'reentrancy',
  swc: 'SWC-107',
  title: 'State changes after an external call',
  severity: 'critical',
  confidence: 'high',
  description:
    'An external call hands control to another contract before this one has finished its bookkeeping. The callee can call back, find the old state and repeat what it has already been granted.',
  recommendation:
    'Check first, then write state, then call (checks, effects, interactions), or hold a lock that every function sharing the state tests.',
  references: [
    'https://swcregistry.io/docs/SWC-107',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy',
  ],
  cwe: ['CWE-841'],

  *run({ functions }) {
    const seen = new Set<number>()
    for (const flow of functions) {
      if (flow.isConstructor) continue
      for (const call of flow.externalCalls()) {
        if (!handsOverControl(flow, call) || flow.lockedAt(call) !== null) continue
        for (const hit of staleState(flow, call)) {
          if (seen.has(hit.at.start)) continue
          seen.add(hit.at.start)
          yield hit
        }
      }
    }
  },
})

/** The callee runs code that an outsider chose, with enough gas to call back. */
const handsOverControl = (flow: Flow, call: Op): boolean => {
  const info = call.call!
  if (info.gasKind === 'stipend' || info.isStatic || info.kind === 'create' || info.kind === 'delegate') return false
  if (info.target === null) return false
  if (flow.isUntrusted(info.target, call)) return true
  const definition = info.definition
  if (definition === null || !definition.isImplemented || definition.isStub) return false
  return flow.whole
    .parametersCalledBy(definition)
    .some((i) => call.args[i] !== undefined && flow.isUntrusted(call.args[i], call))
}

/** Something read before the call decides about it and is written only after it. */
function* staleState(flow: Flow, call: Op): Generator<Hit> {
  let reads: Op[] | null = null
  for (const write of flow.writesAfter(call)) {
    if (undoesFailure(flow, call, write)) continue
    reads ??= decidingReads(flow, call)
    const read = reads.find((load) => isSameState(load, write))
    if (read === undefined) continue
    const name = write.location === null ? (write.variable?.name ?? 'state') : flow.describe(write.location)
    yield {
      at: flow.inCommonCaller(call, write.op),
      message: `\`${name}\` is read before this external call and written after it: a callee that calls back finds the old value.`,
      trace: [
        { at: { start: read.start, end: read.end }, message: 'The state is read here.' },
        ...flow.trace(call),
        { at: { start: call.start, end: call.end }, message: 'Control passes to the callee here.' },
        { at: { start: write.start, end: write.end }, message: 'The state is written here, after the call.' },
      ],
    }
  }
}

const isSameState = (load: Op, write: Write): boolean =>
  write.location === null ? load.location!.variable === write.variable : mayOverlap(load.location!, write.location)

/** Reads before the call on which it depends: a condition on the way to it, its amount, its arguments. */
const decidingReads = (flow: Flow, call: Op): Op[] => {
  const info = call.call!
  const roots: Op[] = [...call.args, ...flow.guardsAt(call).map((fact) => fact.condition)]
  if (info.value !== null) roots.push(info.value)
  const reads = new Set<Op>()
  for (const root of roots) {
    flow.dependsOn(root, (op) => {
      if (op.kind === 'load' && op.location!.space !== 'memory' && flow.canFollow(op, call)) reads.add(op)
      return false
    })
  }
  return [...reads]
}

/** Runs only when the call failed: nothing was handed out then. */
const undoesFailure = (flow: Flow, call: Op, write: Write): boolean =>
  flow.guardsAt(write.op).some((fact) => !fact.polarity && isOutcomeOf(fact.condition, call))

const isOutcomeOf = (value: Op, call: Op): boolean =>
  value === call ||
  (value.kind === 'extract' && value.args[0] === call && (value.constant === 0n || value.operator === 'success'))
