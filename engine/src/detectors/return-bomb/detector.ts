import { chosenByCaller, Source, taintOf } from '../../facts/index.ts'
import { type Flow, oncePerPlace } from '../../ir/index.ts'
import { defineDetector, type Hit, noHits } from '../define-detector.ts'

const findCalls = (flow: Flow, hits: Hit[]): void => {
  for (const op of flow.externalCalls()) {
    const info = op.call!
    if (info.kind !== 'lowlevel' || info.gasKind !== 'limited' || !info.target) continue
    // Assembly says itself how much it copies.
    if (op.node && 'kind' in op.node && op.node.kind === 'YulCall') continue
    if ((taintOf(flow, info.target) & (chosenByCaller | Source.outsiderState)) === 0) continue
    hits.push({
      at: op,
      message:
        'The gas given to the callee is limited, but not the size of its answer, and copying that is paid by the caller.',
      trace: flow.trace(op),
    })
  }
}

export default defineDetector({
  id: 'return-bomb',
  swc: null,
  title: 'Callee can use up the caller’s gas with a long answer',
  severity: 'low',
  confidence: 'medium',
  description:
    'A low-level call copies everything that the callee returns into memory, at the caller’s cost. A limit on the callee’s gas does not limit that: a hostile receiver answers with a huge block of zeros and makes the whole transaction run out of gas.',
  recommendation:
    'Call in assembly with an output size of zero, or use a library that copies a bounded part of the answer.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#return-bomb'],
  cwe: ['CWE-400'],

  run(context) {
    if (!context.hasCall('lowlevel')) return noHits
    const hits: Hit[] = []
    for (const flow of context.entryPoints) findCalls(flow, hits)
    return oncePerPlace(hits)
  },
})
