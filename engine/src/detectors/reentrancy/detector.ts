import { witnessStep } from '../../idioms/index.ts'
import { describeCall, holding } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses, findBypass } from './excuses.ts'
import { reentrantCallees } from './reentrant-callees.ts'
import { factorsOf, type StaleState, staleState } from './stale-state.ts'

export default defineDetector<StaleState>({
  id: 'reentrancy',
  swc: 'SWC-107',
  title: 'Reentrancy: state updated after external call',
  aliases: {
    slither: ['reentrancy-eth', 'reentrancy-no-eth', 'reentrancy-benign', 'reentrancy-unlimited-gas'],
    aderyn: ['reentrancy-state-change'],
    owasp: ['SC05:2025'],
    scwe: ['SCWE-046'],
    words: ['re-entrancy', 'checks-effects-interactions', 'recursive call', 'the DAO', 'nonReentrant'],
  },
  severity: 'critical',
  confidence: 'high',
  description:
    'A function reads state, calls an external contract, and updates the state afterwards. The callee can re-enter and act on the stale value, for example withdraw twice.',
  recommendation:
    'Update state before the external call (checks-effects-interactions), or add a reentrancy guard (`nonReentrant`) to every function that shares the state.',
  references: [
    'https://swcregistry.io/docs/SWC-107',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy',
  ],
  cwe: ['CWE-841'],

  needs: [holding.foreignCall],
  *candidates({ functions }) {
    for (const flow of functions)
      if (!flow.isConstructor) for (const call of reentrantCallees(flow)) yield* staleState(flow, call)
  },

  excuses,

  finding(candidate) {
    const { flow, call, read, write } = candidate
    const bypass = findBypass(candidate)
    const name = write.location === null ? (write.variable?.name ?? 'state') : flow.describe(write.location)
    const late = write.location === null && write.variable === null ? 'the state' : `\`${name}\``
    return {
      at: flow.inCommonCaller(call, write.op),
      // Many calls before the same late write, or else the same call from many functions: to fix that one fixes all.
      cause: [flow.inCommonCaller(write.op, call), call],
      factors: factorsOf(flow, call, write),
      message:
        bypass === undefined
          ? `\`${name}\` is read before this external call and updated after it, so the callee can re-enter and act on the stale value.`
          : `\`${name}\` is read before this external call and updated after it, and \`${bypass.name}()\` does not hold the lock, so the callee can re-enter there.`,
      trace: [
        witnessStep(flow, call, `re-enters before ${late} is updated`),
        { at: read, message: `${late} is read here.` },
        ...flow.trace(call),
        { at: call, message: `\`${describeCall(flow.model, call.call)}\` hands control to the callee.` },
        ...(bypass?.fn
          ? [
              {
                at: bypass.fn.node.name ?? bypass.fn.node,
                message: `\`${bypass.name}()\` changes the same state without the lock.`,
              },
            ]
          : []),
        { at: write, message: `${late} is updated here, after the call.` },
      ],
    }
  },
})
