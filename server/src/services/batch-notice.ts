import { z } from 'zod'
import { type Clock, secondsUntil } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { defineJobKind, NotYet } from '../queue/job.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createScanBatchStore } from '../stores/scan-batches.ts'
import { createSentNoticeStore } from '../stores/sent-notices.ts'
import { type MailDeps, queueNoticeAs } from './mail.ts'
import { severeOf } from './scan-tally.ts'
import { count, giveBack } from './throttle.ts'

/** Enqueued with a batch; waits for its end. */
export const batchNoticeJob = defineJobKind({
  name: 'batch-notice',
  payload: z.object({ accountId: z.string(), batchId: z.string() }),
  retryAfterSeconds: [5, 60, 600, 3600],
})

export interface BatchNoticeDeps extends MailDeps {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'publicUrl'>
}

const LOOK_SECONDS = 30

/**
 * Tells in one mail what the scans of a batch found that is critical or high: ten thousand mails would tell nobody anything. It waits for the
 * hour of the mail before, as what single scans found does.
 */
export async function sendBatchNotice(
  deps: BatchNoticeDeps,
  { accountId, batchId }: z.infer<typeof batchNoticeJob.payload>,
): Promise<void> {
  const batches = createScanBatchStore(deps.db)
  const counts = await batches.count(batchId)
  if (counts.some(({ status }) => status === 'queued' || status === 'running')) throw new NotYet(LOOK_SECONDS)
  const found = countSevere(await batches.listCounts(batchId))
  if (found.scans === 0) return
  const completed = Number(counts.find(({ status }) => status === 'completed')?.n ?? 0)
  await transaction(deps.db, async (tx) => {
    const inside = { ...deps, db: tx }
    const now = deps.clock.now()
    const row = { account_id: accountId, subject: `batch ${batchId}`, at: now.getTime() }
    if (!(await createSentNoticeStore(tx).add(row))) return
    const turn = await count(inside, 'scanMails', accountId)
    if (!turn.isAdmitted) throw new NotYet(secondsUntil(now, new Date(turn.retryAt)))
    const facts = { batchId, completed, ...found }
    const isQueued = await queueNoticeAs(deps, tx, accountId, 'scanFindings', 'batchFindings', facts)
    if (!isQueued) await giveBack(inside, 'scanMails', accountId, now.getTime())
  })
}

/** What the scans found that is critical or high, and how many of them did. */
function countSevere(scans: readonly Parameters<typeof severeOf>[0][]): {
  scans: number
  critical: number
  high: number
} {
  const severe = scans.map(severeOf).filter(({ critical, high }) => critical + high > 0)
  const sum = (severity: 'critical' | 'high') => severe.reduce((total, one) => total + one[severity], 0)
  return { scans: severe.length, critical: sum('critical'), high: sum('high') }
}
