import { writesState } from '../../facts/index.ts'
import { feedAnswer, paysOut, unreachable, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, isComparison, type Op, stripCasts } from '../../ir/index.ts'
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

/** Dropped, passed on, or only compared with 0 or 1: whether the feed answers at all, or whether a sequencer is up. */
const isNoPrice = ({ flow, op, feed }: Candidate): boolean => {
  const [value, field] = feed.values[0]!.split('.')
  if (field !== undefined) return false
  const position = BigInt(resultPosition(feed, value!))
  const isTuple = feed.reportedAt !== undefined
  const answers = isTuple
    ? flow.usersOf(op).filter((part) => part.kind === 'extract' && part.constant === position)
    : [op]
  return answers.flatMap((answer) => flow.usersOf(answer)).every((user) => isTest(user) || isPassedOn(flow, user))
}

const isTest = ({ kind, operator, args }: Op): boolean => kind === 'bin' && isComparison(operator) && args.some(isFlag)

/** A view returns the answer as it came: who asks for it decides how old it may be. */
const isPassedOn = ({ isEntryPoint, fn }: Flow, { kind, location }: Op): boolean =>
  isEntryPoint && fn?.mutability === 'view' && (kind === 'return' || (kind === 'store' && location?.space === 'memory'))

const isFlag = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && (constant === 0n || constant === 1n)
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
    unreachable,
    excuse('time-looked-at', 'the timestamp of the answer is checked or passed on', isTimeUsed),
    excuse('no-price', 'the answer is dropped, returned as it came, or only compared with 0 or 1', isNoPrice),
  ],

  finding: ({ flow, op, feed }) => ({
    at: op,
    // Of all functions that read the price one that acts on it is named first.
    trace:
      writesState(flow) || paysOut(flow)
        ? [witnessStep(flow, op, 'it acts on an outdated price', 'A user'), ...flow.trace(op)]
        : flow.trace(op),
    factors: {
      counterEvidence: flow.kind === 'library' ? ['users of the library decide what happens with the price'] : [],
    },
    message:
      feed.reportedAt === undefined
        ? `\`${flow.name}()\` reads a ${feed.protocol.name} price by \`${op.call.name}()\`, which returns no timestamp. If the feed stops, the function goes on with an outdated price, at the cost of the protocol or its users.`
        : `\`${flow.name}()\` uses a ${feed.protocol.name} price without checking \`${feed.reportedAt.split('.').at(-1)}\`. If the feed stops, the function goes on with an outdated price, at the cost of the protocol or its users.`,
    ...(feed.reportedAt === undefined
      ? {
          recommendation:
            'Read the price by a function that also returns when it was reported, such as `latestRoundData()`, and reject answers that are too old.',
        }
      : {}),
  }),
})
