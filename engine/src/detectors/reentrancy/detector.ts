import { witnessStep } from '../../idioms/index.ts'
import { holding } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { handedControl } from './handed-control.ts'
import { groundsOf, type StaleState, staleState } from './stale-state.ts'

export default defineDetector<StaleState>({
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

  needs: [holding.foreignCall],
  *candidates({ functions }) {
    for (const flow of functions)
      if (!flow.isConstructor) for (const call of handedControl(flow)) yield* staleState(flow, call)
  },

  excuses,

  finding({ flow, call, read, write }) {
    const name = write.location === null ? (write.variable?.name ?? 'state') : flow.describe(write.location)
    return {
      at: flow.inCommonCaller(call, write.op),
      // Many calls before the same late write, or else the same call from many functions: to mend that one mends all.
      cause: [flow.inCommonCaller(write.op, call), call],
      grounds: groundsOf(flow, call, write),
      message: `\`${name}\` is read before this external call and written after it: a callee that calls back finds the old value.`,
      trace: [
        witnessStep(flow, call, 'the callee comes back while it runs and is granted once more what is still on record'),
        { at: read, message: 'The state is read here.' },
        ...flow.trace(call),
        { at: call, message: 'Control passes to the callee here.' },
        { at: write, message: 'The state is written here, after the call.' },
      ],
    }
  },
})
