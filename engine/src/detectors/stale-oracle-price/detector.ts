import { feedAnswer } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, isEquality, isZero, type Op, stripCasts } from '../../ir/index.ts'
import { type KnownReading, resultPosition } from '../../knowledge/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly feed: KnownReading
}

/** The time of the answer decides something, or is passed on with it. */
const isTimeUsed = ({ flow, op, feed }: Candidate): boolean => {
  if (feed.reportedAt === undefined) return false
  const [, field] = feed.reportedAt.split('.')
  if (field !== undefined) return isFieldUsed(flow, op, field)
  const time = BigInt(resultPosition(feed, feed.reportedAt))
  return flow.usersOf(op).some((part) => {
    if (part.kind === 'return') return true
    if (part.kind !== 'extract' || part.constant !== time) return false
    return flow.usersOf(part).length > 0 || flow.branchesOn(part).length > 0
  })
}

/** Of a struct that is returned: the field is read, or all of it is passed on. */
const isFieldUsed = (flow: Flow, op: CallOp, field: string): boolean =>
  flow.ops('load').some(({ location }) => location.base === op && location.name === field) ||
  flow.usersOf(op).some(({ kind }) => kind === 'return' || kind === 'store' || kind === 'call')

/** A feed of whether the sequencer is up: its answer is yes or no, and no price. */
const isStatus = ({ flow, op }: Candidate): boolean => {
  const answers = flow.usersOf(op).filter((part) => part.kind === 'extract' && part.constant === 1n)
  const users = answers.flatMap((answer) => flow.usersOf(answer))
  return (
    users.length > 0 &&
    users.every(({ kind, operator, args }) => kind === 'bin' && isEquality(operator) && args.some(isFlag))
  )
}

/** `require(feed.latestAnswer() > 0)`: whether the feed answers at all. */
const isProbe = ({ flow, op, feed }: Candidate): boolean => {
  const users = feed.reportedAt === undefined ? flow.usersOf(op) : []
  return (
    users.length > 0 &&
    users.every(({ kind, operator, args }) => kind === 'bin' && /^[<>]=?$/.test(operator) && args.some(isZero))
  )
}

const isFlag = (value: Op): boolean => {
  const { constant } = stripCasts(value)
  return constant === 0n || constant === 1n
}

export default defineDetector<Candidate>({
  id: 'stale-oracle-price',
  swc: null,
  title: 'Stale oracle price',
  aliases: {
    owasp: ['SC02:2025'],
    scwe: ['SCWE-030'],
    words: [
      'Chainlink',
      'Pyth',
      'getPriceUnsafe',
      'updatedAt',
      'heartbeat',
      'latestRoundData',
      'latestAnswer',
      'staleness',
    ],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'A price feed (Chainlink, Pyth) can stop updating: the last answer then stays for hours or days while the market moves. An attacker borrows or liquidates at the outdated price.',
  recommendation: 'Compare `updatedAt` with the feed’s heartbeat and reject answers that are stale, zero or negative.',
  references: ['https://docs.chain.link/data-feeds/historical-data'],
  cwe: ['CWE-672'],
  isPerFunction: true,

  needs: [holding.typedCall],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.externalCalls()) {
        const feed = feedAnswer(op)
        if (feed !== undefined) yield { flow, op, feed }
      }
  },

  excuses: [
    excuse('time-looked-at', 'the timestamp of the answer is checked or passed on', isTimeUsed),
    excuse('probe', 'it only tests that the feed answers', isProbe),
    excuse('status', 'the answer says whether a sequencer is up, and is no price', isStatus),
  ],

  finding: ({ flow, op, feed }) => ({
    at: op,
    factors: {
      counterEvidence: flow.kind === 'library' ? ['users of the library decide what happens with the price'] : [],
    },
    message:
      feed.reportedAt === undefined
        ? `\`${op.call.name}()\` returns no timestamp, so a stale ${feed.protocol.name} price is used unnoticed.`
        : `The ${feed.protocol.name} price is used without checking \`${feed.reportedAt.split('.').at(-1)}\`, so a stale price is accepted.`,
  }),
})
