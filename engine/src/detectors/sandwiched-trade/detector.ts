import { isProtected, isSender, relationsAt, stateReadsOf } from '../../facts/index.ts'
import {
  givesOwnToken,
  isPoolAnswer,
  keysOf,
  recordedEther,
  type Trade,
  tokensOfUsers,
  tradeOf,
  unreachable,
  witnessStep,
} from '../../idioms/index.ts'
import { describeValue, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
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

/** Something is still required after the trade: what came of it may be weighed there. */
const isWeighedAfter = (flow: Flow, op: Op): boolean =>
  flow.ops('assume').some((check) => flow.canFollow(op, check)) ||
  flow.ops('revert').some((end) => flow.canFollow(op, end))

const words = {
  swap: { act: 'swaps', noun: 'swap', title: 'Swap without minimum output (sandwich attack)' },
  add: { act: 'adds liquidity with', noun: 'deposit', title: 'Liquidity added without a minimum (sandwich attack)' },
  remove: { act: 'removes', noun: 'withdrawal', title: 'Liquidity removed without a minimum (sandwich attack)' },
} as const

/** Whose money is traded: what is on record for the caller, or what the contract holds. */
const fundsOf = ({ flow, trade: { given, op, action } }: OpenTrade): string => {
  const own = given
    .flatMap((value) => stateReadsOf(flow, value))
    .find(({ location }) => location.space === 'state' && keysOf(location).some(isSender))
  if (own !== undefined) return `the caller’s \`${flow.describe(own.location)}\``
  if (action === 'remove') return 'liquidity of the contract'
  return op.call?.value == null ? 'tokens of the contract' : 'ETH of the contract'
}

const messageOf = (candidate: OpenTrade): string => {
  const { flow, trade } = candidate
  const { act, noun } = words[trade.action]
  if (trade.bound !== 'none')
    return `\`${trade.limit.name}\` of \`${trade.name}()\` is computed from the pool’s current price, so an attacker who moves that price first also lowers the limit (sandwich attack).`
  return `\`${flow.name}()\` ${act} ${fundsOf(candidate)} through \`${trade.name}()\` with \`${trade.limit.name}\` = ${describeValue(flow.model, trade.limit.value)}, so an attacker can sandwich the ${noun} and take most of the output.`
}

export default defineDetector<OpenTrade>({
  id: 'sandwiched-trade',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: words.swap.title,
  aliases: { owasp: ['SC02:2025'], words: ['sandwich attack', 'MEV', 'slippage', 'minimum output'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'Funds in the contract are traded without a minimum output that someone chose. An attacker sandwiches the trade: they move the price before it, move it back after it and keep the difference.',
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
    { ...unreachable, holds: ({ flow, trade }) => unreachable.holds({ flow, op: trade.op }) },
    excuse(
      'own-loss',
      'only the caller’s own funds are traded, which is `missing-slippage-protection`',
      ({ trade }) => trade.bound === 'none' && !trade.isPooled,
    ),
  ],

  finding: (candidate) => {
    const {
      flow,
      trade: { op, bound, action },
    } = candidate
    return {
      at: op,
      title: bound === 'none' ? words[action].title : 'Minimum output from spot price (sandwich attack)',
      message: messageOf(candidate),
      trace: [
        witnessStep(flow, op, `an attacker sandwiches the ${words[action].noun} for profit`, 'A user'),
        ...flow.trace(op),
      ],
      factors: {
        hasWitness: bound === 'none',
        loss: isWeighedAfter(flow, op) ? undefined : (tokensOfUsers(flow) ?? recordedEther(flow) ?? undefined),
        counterEvidence: [
          ...(isProtected(flow, op) ? ['a privileged account chooses the time and can trade privately'] : []),
          ...(givesOwnToken(flow, op) ? ['its own tokens are swapped, and it may charge a fee on front-runners'] : []),
          ...(isQuoted(flow, op) ? ['the expected output is queried first and decides whether it trades'] : []),
        ],
      },
    }
  },
})
