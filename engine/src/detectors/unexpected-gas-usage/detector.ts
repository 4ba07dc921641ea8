import type { Flow } from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, type TraceStep } from '../define-detector.ts'
import { type ExactBalance, exactBalances, heldUpBy } from './exact-balances.ts'
import { type Candidate, excuses } from './excuses.ts'
import { describeLoop, type GrowingLoop, growingLoops } from './loops.ts'

/** The keyword and the condition that follows it. */
const headOf = ({ loop: { start, condition } }: GrowingLoop): Span => ({
  start,
  end: condition !== null && condition.end > start ? condition.end : start + 3,
})

const waiting = (candidate: ExactBalance): TraceStep[] => {
  const held = heldUpBy(candidate)
  return held === undefined
    ? []
    : [{ at: held, message: held.kind === 'store' ? 'This is not written then.' : 'This waits for it.' }]
}

/** A loop may grow, and a balance may be compared. */
const mayWait = (flow: Flow): boolean => flow.ir.loops.length > 0 || flow.builtins('balance').length > 0

export default defineDetector<Candidate>({
  id: 'unexpected-gas-usage',
  swc: 'SWC-132',
  title: 'Gas or balance is not what the code expects',
  severity: 'medium',
  confidence: 'medium',
  description:
    'The code relies on something that changes without it: a loop over stored data that only grows costs more each time until it no longer fits into a block, and ether can be forced into any contract, so that an exact comparison with its balance fails for good.',
  recommendation:
    'Bound what loops run over or page through it. Keep your own account of ether received, and compare balances with `>=`, never with `==`.',
  references: [
    'https://swcregistry.io/docs/SWC-132',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#gas-limit-and-loops',
  ],
  cwe: ['CWE-667', 'CWE-400'],
  yieldsTo: ['dos-block-gas-limit'],

  needs: [mayWait],
  *candidates({ functions }) {
    for (const flow of functions) {
      yield* growingLoops(flow)
      yield* exactBalances(flow)
    }
  },
  excuses,
  finding: (candidate) =>
    'loop' in candidate
      ? {
          at: headOf(candidate),
          message: describeLoop(candidate),
          grounds: candidate.relief === 'none' ? {} : { doubts: ['somebody can shorten what the loop runs over'] },
        }
      : {
          at: candidate.op,
          message: 'Ether can be forced into the account, so its balance need not equal what the code expects.',
          trace: [...candidate.flow.trace(candidate.op), ...waiting(candidate)],
        },
})
