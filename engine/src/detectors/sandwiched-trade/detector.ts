import { isProtected, relationsAt } from '../../facts/index.ts'
import { givesOwnToken, isPoolAnswer, type Trade, tradeOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface OpenTrade {
  readonly flow: Flow
  readonly trade: Trade
}

/** `if (pool.get_dy(0, 1, amount) > amount) pool.exchange(0, 1, amount, 0)`: below that the trade is not made. */
const isQuoted = (flow: Flow, op: Op): boolean =>
  relationsAt(flow, op).some(
    ({ greater, smaller }) => isPoolAnswer(stripCasts(greater)) && stripCasts(smaller).kind !== 'const',
  )

export default defineDetector<OpenTrade>({
  id: 'sandwiched-trade',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'Sandwich attack: trade of pooled funds without limit',
  aliases: { owasp: ['SC02:2025'], words: ['sandwich attack', 'MEV', 'slippage', 'minimum output'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'User funds in the contract are traded without a minimum output that someone chose. An attacker sandwiches the trade: they move the price before it, move it back after it and keep the difference.',
  recommendation:
    'Let the caller pass a minimum output, or compute it from a price that one block cannot move, such as a TWAP.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.uniswap.org/contracts/v2/guides/smart-contract-integration/trading-from-a-smart-contract',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.typedCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        const trade = tradeOf(flow, call)
        if (trade !== null && trade.bound !== 'given') yield { flow, trade }
      }
  },

  excuses: [
    excuse(
      'own-loss',
      'only the caller’s own funds are traded, which is `missing-slippage-protection`',
      ({ trade }) => trade.bound === 'none' && !trade.isPooled,
    ),
  ],

  finding: ({ flow, trade: { op, bound, name } }) => ({
    at: op,
    message:
      bound === 'none'
        ? `\`${name}\` trades funds of the contract and accepts any output, so an attacker can sandwich it and take the difference.`
        : `The minimum output for \`${name}\` derives from the current price, so an attacker who moves that price first bypasses it (sandwich attack).`,
    trace: [witnessStep(flow, op, 'an attacker sandwiches the trade for profit', 'A user'), ...flow.trace(op)],
    factors: {
      hasWitness: bound === 'none',
      counterEvidence: [
        ...(isProtected(flow, op) ? ['a privileged account chooses the time and can trade privately'] : []),
        ...(givesOwnToken(flow, op) ? ['its own tokens are swapped, and it may charge a fee on front-runners'] : []),
        ...(isQuoted(flow, op) ? ['the expected output is queried first and decides whether it trades'] : []),
      ],
    },
  }),
})
