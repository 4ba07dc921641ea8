import { type Context, type Flow, type Op, oncePerPlace } from '../flow/index.ts'
import { defineDetector, type Hit } from './detector.ts'

/** Position of the time in `latestRoundData`'s results. */
const updatedAt = 3n

/** The time of the answer decides something. */
const isTimeChecked = (flow: Flow, call: Op): boolean =>
  flow.usersOf(call).some((part) => {
    if (part.kind === 'return') return true
    if (part.kind !== 'extract' || part.constant !== updatedAt) return false
    return flow.usersOf(part).length > 0 || flow.branchesOn(part).length > 0
  })

function* findReads(context: Context): Generator<Hit> {
  for (const { flow, op } of context.opsOfKind('call')) {
    const info = op.call!
    if (info.kind !== 'external' || op.args.length > 0) continue
    if (info.name === 'latestAnswer') yield { at: op, message: '`latestAnswer` does not say how old the answer is.' }
    else if (info.name === 'latestRoundData' && !isTimeChecked(flow, op))
      yield { at: op, message: 'The price is used without a look at when it was last updated.' }
  }
}

export default defineDetector({
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

  *run(context) {
    yield* oncePerPlace(findReads(context))
  },
})
