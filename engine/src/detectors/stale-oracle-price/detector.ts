import { type Flow, type Op, oncePerPlace } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Position of the time in `latestRoundData`'s results. */
const updatedAt = 3n

/** The time of the answer decides something. */
const isTimeChecked = (flow: Flow, call: Op): boolean =>
  flow.usersOf(call).some((part) => {
    if (part.kind === 'return') return true
    if (part.kind !== 'extract' || part.constant !== updatedAt) return false
    return flow.usersOf(part).length > 0 || flow.branchesOn(part).length > 0
  })

const checkRead = (flow: Flow, op: Op, hits: Hit[]): void => {
  const { kind, name } = op.call!
  if (kind !== 'external' || op.args.length > 0) return
  if (name === 'latestAnswer') hits.push({ at: op, message: '`latestAnswer` does not say how old the answer is.' })
  else if (name === 'latestRoundData' && !isTimeChecked(flow, op))
    hits.push({ at: op, message: 'The price is used without a look at when it was last updated.' })
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

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions) for (const op of flow.externalCalls()) checkRead(flow, op, hits)
    return oncePerPlace(hits)
  },
})
