import { chosenByCaller, Source, taintOf } from '../../facts/index.ts'
import { type CallOp, type Flow, holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
}

export default defineDetector<Candidate>({
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

  needs: [holding.lowLevelCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        const { kind, gasKind, target } = call.call
        if (kind === 'lowlevel' && gasKind === 'limited' && target !== null) yield { flow, call }
      }
  },

  excuses: [
    excuse('in-assembly', 'assembly makes the call, which says itself how much it copies', ({ call: { node } }) =>
      Boolean(node && 'kind' in node && node.kind === 'YulCall'),
    ),
    excuse(
      'known-callee',
      'outsiders do not choose whom it calls',
      ({ flow, call }) => (taintOf(flow, call.call.target!) & (chosenByCaller | Source.outsiderState)) === 0,
    ),
  ],

  finding: ({ flow, call }) => ({
    at: call,
    message:
      'The gas given to the callee is limited, but not the size of its answer, and copying that is paid by the caller.',
    trace: flow.trace(call),
  }),
})
