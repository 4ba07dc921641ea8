import { isSelf } from '../../idioms/index.ts'
import { describeValue, type Flow } from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, type TraceStep } from '../define-detector.ts'
import { type ExactBalance, exactBalances, heldUpBy, holderOf } from './exact-balances.ts'
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
    : [
        {
          at: held,
          message:
            held.kind === 'store'
              ? 'This depends on the comparison.'
              : 'This runs only if the comparison comes out as meant.',
        },
      ]
}

const nameOfHolder = ({ flow, op }: ExactBalance): string => {
  const holder = holderOf(op)
  const name = holder === null || isSelf(holder) ? '…' : describeValue(flow.model, holder)
  return name === '…' ? 'the contract' : `\`${name}\``
}

/** A loop may grow, and a balance may be compared. */
const mayWait = (flow: Flow): boolean => flow.ir.loops.length > 0 || flow.builtins('balance').length > 0

export default defineDetector<Candidate>({
  id: 'unexpected-gas-usage',
  swc: 'SWC-132',
  title: 'Unexpected gas cost or ether balance',
  aliases: {
    slither: ['incorrect-equality', 'costly-loop'],
    aderyn: ['strict-equality-contract-balance', 'costly-loop'],
    owasp: ['SC10:2025'],
    scwe: ['SCWE-075', 'SCWE-109'],
    words: ['forced ether', 'selfdestruct balance', 'unbounded loop', 'out of gas'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'The code relies on something that changes from outside: a loop over stored data that only grows eventually exceeds the block gas limit, and ETH can be forced into any contract, so an exact balance comparison fails permanently.',
  recommendation:
    'Bound loops or process them in pages. Track received ETH in a variable and compare balances with `>=`, never `==`.',
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
          title: 'Unbounded loop: gas cost grows with storage',
          recommendation: 'Bound the loop, or process the list in pages of a size the caller chooses.',
          message: describeLoop(candidate),
          // Time and the accounts of others grow by themselves; a list grows only as its keepers let it.
          factors: {
            controlledBy: candidate.loop.boundKind === 'chain' ? 'outsider' : 'governed',
            counterEvidence: candidate.relief === 'none' ? [] : ['the array can also be made shorter'],
          },
        }
      : {
          at: candidate.op,
          title: 'Exact balance comparison: forced ether',
          recommendation: 'Track received ETH in a variable, and compare balances with `>=`, never `==`.',
          message: `Anyone can force ETH into ${nameOfHolder(candidate)} (for example with \`selfdestruct\`), and so break this exact balance comparison: \`${candidate.flow.name}()\` then takes the wrong branch or reverts for good.`,
          trace: [...candidate.flow.trace(candidate.op), ...waiting(candidate)],
        },
})
