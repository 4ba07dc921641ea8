import { isFeedAnswer } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
}

/** Position of the time in `latestRoundData`'s results. */
const updatedAt = 3n

/** The time of the answer decides something, or is handed on with it. */
const isTimeUsed = (flow: Flow, call: Op): boolean =>
  flow.usersOf(call).some((part) => {
    if (part.kind === 'return') return true
    if (part.kind !== 'extract' || part.constant !== updatedAt) return false
    return flow.usersOf(part).length > 0 || flow.branchesOn(part).length > 0
  })

export default defineDetector<Candidate>({
  id: 'stale-oracle-price',
  swc: null,
  title: 'Price of unknown age',
  severity: 'medium',
  confidence: 'high',
  description:
    'A price feed can stop: the last answer then stays for hours or days while the market moves. Whoever notices borrows or liquidates at yesterday’s price.',
  recommendation: 'Compare `updatedAt` with the feed’s heartbeat and refuse an answer that is older, zero or negative.',
  references: ['https://docs.chain.link/data-feeds/historical-data'],
  cwe: ['CWE-672'],

  needs: [holding.typedCall],
  *candidates({ functions }) {
    for (const flow of functions) for (const op of flow.externalCalls()) if (isFeedAnswer(op)) yield { flow, op }
  },

  excuses: [
    excuse(
      'time-looked-at',
      'the time of the answer is looked at or handed on',
      ({ flow, op }) => op.call.name === 'latestRoundData' && isTimeUsed(flow, op),
    ),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    grounds: {
      doubts: flow.kind === 'library' ? ['what becomes of the price is up to those who use the library'] : [],
    },
    message:
      op.call.name === 'latestAnswer'
        ? '`latestAnswer` does not say how old the answer is.'
        : 'The price is used without a look at when it was last updated.',
  }),
})
