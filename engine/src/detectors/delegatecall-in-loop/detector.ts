import { type Loop, loopAround } from '../../facts/index.ts'
import type { Flow, Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly loop: Loop
}

export default defineDetector<Candidate>({
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

  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.ops('call')) {
        const loop = op.call!.kind === 'delegate' ? loopAround(flow, op) : null
        if (loop) yield { flow, op, loop }
      }
  },

  excuses: [excuse('not-payable', 'the function takes no ether', ({ flow }) => !flow.isPayable)],

  finding: ({ op, loop }) => ({
    at: op,
    message: 'Each round runs code that sees the same `msg.value`, though it was paid once.',
    trace: [{ at: loop, message: 'The loop.' }],
  }),
})
