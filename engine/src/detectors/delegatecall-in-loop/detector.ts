import { loopAround } from '../../facts/index.ts'
import { type Flow, oncePerPlace } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const findLoops = (flow: Flow, hits: Hit[]): void => {
  for (const op of flow.ops('call')) {
    if (op.call!.kind !== 'delegate') continue
    const loop = loopAround(flow, op)
    if (!loop) continue
    hits.push({
      at: op,
      message: 'Each round runs code that sees the same `msg.value`, though it was paid once.',
      trace: [{ at: loop, message: 'The loop.' }],
    })
  }
}

export default defineDetector({
  id: 'delegatecall-in-loop',
  swc: null,
  title: 'Payable function delegates in a loop',
  severity: 'high',
  confidence: 'high',
  description:
    'A `delegatecall` keeps `msg.value`. In a payable function that delegates in a loop, one payment counts in every round, so a batch of purchases costs the price of one.',
  recommendation: 'Make batch functions non-payable, or refuse functions that use `msg.value` inside a batch.',
  references: [
    'https://github.com/crytic/slither/wiki/Detector-Documentation#payable-functions-using-delegatecall-inside-a-loop',
  ],
  cwe: ['CWE-837'],
  yieldsTo: ['delegatecall-to-untrusted-callee'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) if (flow.isPayable && flow.hasCall('delegate')) findLoops(flow, hits)
    return oncePerPlace(hits)
  },
})
