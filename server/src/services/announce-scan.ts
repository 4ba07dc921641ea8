import { engineVersion } from '@assay/engine'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Queue } from '../queue/queue.ts'
import type { Db } from '../stores/database.ts'
import { createWebhookStore } from '../stores/webhooks.ts'
import { endOfDay } from './limits.ts'
import { type MailDeps, queueNotice } from './mail.ts'
import type { ScanCompleted, ScanEvent } from './scan-events.ts'
import { queueWebhooks } from './webhook-deliveries.ts'

export interface AnnounceScanDeps extends MailDeps {
  clock: Clock
  queue: Pick<Queue, 'enqueue'>
  config: Pick<Config, 'publicUrl'>
}

const quotaNotices = [80, 100] as const

/** Queues the webhooks and mails that follow from a scan, in the transaction that stores it. */
export async function announceScan(deps: AnnounceScanDeps, tx: Db, event: ScanEvent): Promise<void> {
  if (event.limits.features.webhooks) await announceToWebhooks(deps, tx, event)
  if (event.limits.features.mailNotices && event.status === 'completed') await announceByMail(deps, tx, event)
}

async function announceToWebhooks(deps: AnnounceScanDeps, tx: Db, event: ScanEvent): Promise<void> {
  const type = event.status === 'completed' ? 'scan.completed' : 'scan.failed'
  const webhooks = await createWebhookStore(tx).list(event.accountId)
  const wanting = webhooks.filter(({ status, events }) => status === 'active' && JSON.parse(events).includes(type))
  if (wanting.length === 0) return
  const securityScore = event.status === 'completed' ? event.securityScore : null
  await queueWebhooks(deps, tx, {
    // Of the scan alone: whatever repeats this says the same under the same id.
    id: `msg_${event.scanId.replace(/^[a-z]+_/, '')}`,
    accountId: event.accountId,
    type,
    body: {
      type,
      timestamp: event.at.toISOString(),
      scanId: event.scanId,
      status: event.status,
      securityScore,
      vulnerabilitiesCount: securityScore?.summary.total ?? 0,
      kind: event.kind,
      fileName: event.fileName,
      createdAt: event.at.toISOString(),
      engineVersion,
      completeness: event.status === 'completed' ? event.completeness : null,
      counts: event.status === 'completed' ? event.counts : null,
      sha256: event.status === 'completed' ? event.sha256 : null,
    },
    to: wanting,
  })
}

async function announceByMail(deps: AnnounceScanDeps, tx: Db, event: ScanCompleted): Promise<void> {
  const { score, rating, summary } = event.securityScore
  if (summary.critical + summary.high > 0) {
    const { critical, high } = summary
    await queueNotice(deps, tx, event.accountId, 'scanFindings', {
      scanId: event.scanId,
      fileName: event.fileName,
      completeness: event.completeness,
      advisories: event.counts.advisories,
      suppressed: event.counts.suppressed,
      critical,
      high,
      score,
      rating,
    })
  }
  const limit = event.limits.scansPerDay
  for (const percent of quotaNotices) {
    // Each count of the day is reached by one scan, so each notice is sent by one.
    if (event.scansToday !== Math.ceil((limit * percent) / 100)) continue
    const facts = { percent, used: event.scansToday, limit, resetsAt: endOfDay(event.at) }
    await queueNotice(deps, tx, event.accountId, 'quotaUsage', facts)
  }
}
