import { z } from 'zod'
import { defineJobKind } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import { transaction } from '../stores/database.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import { maxTurns, type QueueScansDeps, queuedScanJob } from './queue-scans.ts'
import { ALIVE_MS } from './scan-quota.ts'

export interface TendDeps extends QueueScansDeps {
  readonly queue: Pick<Queue, 'enqueueMany' | 'countWaiting'>
  readonly instanceId: string
  readonly scansAtHand: ReadonlySet<string>
}

export const tendScanQueueJob = defineJobKind({
  name: 'tend-scan-queue',
  payload: z.object({}),
  retryAfterSeconds: [],
  concurrency: 1,
  everySeconds: 30,
})

/** What this process has just begun it may not know of yet. */
const UNKNOWN_MS = 60_000

/** Puts back what processes began that are gone, each with a job of its own; how many. */
export async function reviveScans(deps: TendDeps): Promise<number> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now().getTime()
    const { instanceId, scansAtHand } = deps
    const isKnown = (id: string): boolean => scansAtHand.has(id)
    const lost = { now, latest: now + 2 * ALIVE_MS, begunBefore: now - UNKNOWN_MS, instanceId, isKnown }
    const revived = await createScanRequestStore(tx).reviveLost(lost)
    if (revived.length > 0) await deps.queue.enqueueMany(tx, queuedScanJob, {}, Math.min(revived.length, maxTurns))
    return revived.length
  })
}

/** Whatever was lost between two statements: every scan that waits has a lane, and there are jobs enough to begin them. */
export async function tendScanQueue(deps: TendDeps): Promise<void> {
  await reviveScans(deps)
  const requests = createScanRequestStore(deps.db)
  await requests.openLanes()
  const wanted = Math.min(await requests.countQueued(), maxTurns)
  const missing = wanted - (await deps.queue.countWaiting(queuedScanJob))
  if (missing > 0) await deps.queue.enqueueMany(deps.db, queuedScanJob, {}, missing)
}
