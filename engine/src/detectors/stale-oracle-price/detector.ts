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
  title: 'Stale oracle price',
  aliases: {
    owasp: ['SC02:2025'],
    scwe: ['SCWE-030'],
    words: ['Chainlink', 'updatedAt', 'heartbeat', 'latestRoundData', 'latestAnswer', 'staleness'],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'A Chainlink feed can stop updating: the last answer then stays for hours or days while the market moves. An attacker borrows or liquidates at the outdated price.',
  recommendation: 'Compare `updatedAt` with the feed’s heartbeat and reject answers that are stale, zero or negative.',
  references: ['https://docs.chain.link/data-feeds/historical-data'],
  cwe: ['CWE-672'],
  isPerFunction: true,

  needs: [holding.typedCall],
  *candidates({ functions }) {
    for (const flow of functions) for (const op of flow.externalCalls()) if (isFeedAnswer(op)) yield { flow, op }
  },

  excuses: [
    excuse(
      'time-looked-at',
      'the timestamp of the answer is checked or passed on',
      ({ flow, op }) => op.call.name === 'latestRoundData' && isTimeUsed(flow, op),
    ),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    factors: {
      counterEvidence: flow.kind === 'library' ? ['users of the library decide what happens with the price'] : [],
    },
    message:
      op.call.name === 'latestAnswer'
        ? '`latestAnswer()` returns no timestamp, so a stale Chainlink price is used unnoticed.'
        : 'The Chainlink price is used without checking `updatedAt`, so a stale price is accepted.',
  }),
})
