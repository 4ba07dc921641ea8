import { dependsOn, isSender } from '../../facts/index.ts'
import { keysOf, loweredBy } from '../../idioms/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: Op
  readonly lowered: Op
  readonly amount: Op
}

/** ERC-20 lays down what `transferFrom(from, to, amount)` uses up: `amount` of what `from` allowed the caller. */
const standard = 'transferFrom(address,address,uint256)'

export default defineDetector<Candidate>({
  id: 'erroneous-accounting',
  swc: null,
  title: 'Allowance is lowered by another number than was asked for',
  severity: 'high',
  confidence: 'medium',
  description:
    'Owners allow amounts, and ERC-20 says that a transfer uses up the amount that is asked for. Here the allowance is lowered by a number worked out from it, such as shares: where that is smaller, the spender moves more than the owner allowed.',
  recommendation: 'Lower the allowance by the amount that the caller asks for, in the unit in which owners approve.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-682'],

  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (flow.fn?.signature !== standard) continue
      const [from, , amount] = flow.params as [Op, Op, Op]
      for (const store of flow.stateStores()) {
        const keys = keysOf(store.location)
        if (!keys.includes(from) || !keys.some(isSender)) continue
        const lowered = loweredBy(store)
        if (lowered !== null && stripCasts(lowered) !== amount) yield { flow, store, lowered, amount }
      }
    }
  },
  excuses: [
    excuse(
      'not-from-the-amount',
      'it is not worked out from the amount at all: one use, one token',
      ({ flow, lowered, amount }) => !dependsOn(flow, lowered, (op) => op === amount),
    ),
  ],
  finding: ({ flow, store }) => ({
    at: flow.inEntry(store),
    message: 'The allowance is lowered by a number that differs from the amount that the owner allowed it for.',
    trace: flow.trace(store),
  }),
})
