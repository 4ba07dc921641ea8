import { dependsOn, isCallersNumber, isProtected, keepsNothing, relationsAt } from '../../facts/index.ts'
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

/**
 * An adapter that others run with their own: it writes nothing down, asks nobody who they are, trades as much as it is told and answers with
 * what came back. What others left with it, anybody could have had.
 */
const isAdapter = (flow: Flow, { op, given }: Trade): boolean => {
  if (flow.contract?.hasUnresolvedBase !== false || !keepsNothing(flow.contractFlow)) return false
  if (isProtected(flow, op) || given.length === 0 || !given.every((amount) => isCallersNumber(flow, amount)))
    return false
  return flow.ops('return').some(({ args }) => args.some((value) => dependsOn(flow, value, (part) => part === op)))
}

export default defineDetector<OpenTrade>({
  id: 'sandwiched-trade',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'A trade at whatever price the exchange has by then',
  severity: 'high',
  confidence: 'medium',
  description:
    'What others have put into the contract is traded without a bound that somebody chose. Whoever sees the trade pending moves the price first, lets it through, moves the price back and keeps the difference.',
  recommendation:
    'Let the caller pass the least amount to accept, or work it out from a price that one block cannot move, such as a time-weighted one.',
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
      'told-to-the-caller',
      'the contract keeps nothing for anybody, whoever calls says how much is traded, and is told what came of it',
      ({ flow, trade }) => isAdapter(flow, trade),
    ),
    excuse(
      'own-loss',
      'the caller alone pays and takes any amount, which is `missing-slippage-protection`',
      ({ trade }) => trade.bound === 'none' && !trade.isPooled,
    ),
  ],

  finding: ({ flow, trade: { op, bound, name } }) => ({
    at: op,
    message:
      bound === 'none'
        ? `\`${name}\` trades what the contract holds and takes any amount in return: whoever trades just before decides the price.`
        : `The least amount for \`${name}\` follows from the price that whoever trades just before has made.`,
    trace: [
      witnessStep(
        flow,
        op,
        'whoever trades just before and after it keeps the difference, which is taken from what the contract holds',
      ),
      ...flow.trace(op),
    ],
    grounds: {
      hasWitness: bound === 'none',
      doubts: [
        ...(isProtected(flow, op) ? ['a role chooses the moment, and may keep it from others'] : []),
        ...(givesOwnToken(flow, op)
          ? ['its own tokens are given, and it may charge whoever trades them before it more']
          : []),
        ...(isQuoted(flow, op) ? ['what it would bring is asked first, and decides whether it is done'] : []),
      ],
    },
  }),
})
