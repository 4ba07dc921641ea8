import { engineVersion } from '@assay/engine'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { newId } from '../core/ids.ts'
import type { Queue } from '../queue/queue.ts'
import type { Db } from '../stores/database.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createScanNoticeStore } from '../stores/scan-notices.ts'
import { createSentNoticeStore } from '../stores/sent-notices.ts'
import { endOfDay } from './limits.ts'
import { type MailDeps, queueNotice } from './mail.ts'
import { findSubscribers, queueEvent } from './queue-event.ts'
import type { ScanCompleted, ScanEvent } from './scan-events.ts'

export interface AnnounceScanDeps extends MailDeps {
  clock: Clock
  queue: Pick<Queue, 'enqueue'>
  config: Pick<Config, 'publicUrl'>
}

/** The shares of a day's quota that are reported, the last first. */
const quotaMarks = [100, 80] as const

/** Queues the webhooks and mails that follow from a scan, in the transaction that stores it. */
export async function announceScan(deps: AnnounceScanDeps, tx: Db, event: ScanEvent): Promise<void> {
  const { webhooks, mailNotices } = event.limits.features
  if (webhooks) await announceToWebhooks(deps, tx, event)
  if (event.status !== 'completed') return
  // Of a batch one mail tells in the end.
  if (mailNotices && event.batchId === undefined) await noteForMail(tx, event)
  if (webhooks || mailNotices) await announceQuota(deps, tx, event)
}

async function announceToWebhooks(deps: AnnounceScanDeps, tx: Db, event: ScanEvent): Promise<void> {
  const type = event.status === 'completed' ? 'scan.completed' : 'scan.failed'
  const { accountId, at } = event
  // Of the scan alone: whatever repeats this says the same under the same id.
  await queueEvent(deps, tx, { id: messageId(event), accountId, type, at, body: describeScan(event) })
  if (event.status !== 'completed') return
  await announceNewFindings(deps, tx, event)
  if (event.gate?.isPassed === false)
    await queueEvent(deps, tx, {
      id: `${messageId(event)}-gate`,
      accountId,
      type: 'gate.failed',
      at,
      body: describeScan(event),
    })
}

const messageId = ({ scanId }: Pick<ScanEvent, 'scanId'>): string => `msg_${scanId.replace(/^[a-z]+_/, '')}`

function describeScan(event: ScanEvent) {
  const securityScore = event.status === 'completed' ? event.securityScore : null
  return {
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
    tally: event.status === 'completed' ? event.tally : null,
    sha256: event.status === 'completed' ? event.sha256 : null,
    project: event.status === 'completed' ? event.project : null,
    gate: event.status === 'completed' ? event.gate : null,
  }
}

/** More of them would make an event that receivers refuse; the rest is counted, and can be listed. */
const MAX_FINDINGS = 100

/** What no earlier scan of the project had seen; without a project there is nothing to be new against. */
async function announceNewFindings(deps: AnnounceScanDeps, tx: Db, event: ScanCompleted): Promise<void> {
  const { accountId, scanId, at } = event
  if ((await findSubscribers(tx, accountId, 'finding.new')).length === 0) return
  const rows = await createFindingStore(tx).listFirstSeen(accountId, scanId)
  const [first] = rows
  if (!first || first.project === scanId) return
  const body = {
    ...describeScan(event),
    project: first.project,
    newCount: rows.length,
    findings: rows.slice(0, MAX_FINDINGS).map((row) => ({
      id: row.id,
      file: row.file,
      fingerprint: row.fingerprint,
      kind: row.kind,
      vulnerabilityId: row.vulnerability_id,
      detector: row.detector,
      severity: row.severity,
      confidence: row.confidence,
      title: row.title,
      contract: row.contract,
      function: row.function,
      line: row.line,
    })),
  }
  await queueEvent(deps, tx, { id: `${messageId(event)}-new`, accountId, type: 'finding.new', at, body })
}

/** Anyone who scans in the browser sees what was found. */
async function noteForMail(
  tx: Db,
  { via, accountId, scanId, tally: { bySeverity }, gate }: ScanCompleted,
): Promise<void> {
  if (via === 'session' || (bySeverity.critical + bySeverity.high === 0 && gate?.isPassed !== false)) return
  await createScanNoticeStore(tx).add({ scan_id: scanId, account_id: accountId })
}

/** Once a day for each mark: a place that was given back may be taken again. */
async function announceQuota(deps: AnnounceScanDeps, tx: Db, event: ScanCompleted): Promise<void> {
  const { accountId, limits, scansToday: used, at } = event
  const limit = limits.scansPerDay
  const percent = quotaMarks.find((mark) => used >= Math.ceil((limit * mark) / 100))
  if (percent === undefined) return
  const subject = `quota ${percent} ${at.toISOString().slice(0, 10)}`
  const isFirst = await createSentNoticeStore(tx).add({ account_id: accountId, subject, at: at.getTime() })
  if (!isFirst) return
  const resetsAt = endOfDay(at)
  await queueNotice(deps, tx, accountId, 'quotaUsage', { percent, used, limit, resetsAt })
  if (!limits.features.webhooks) return
  const body = { percent, used, limit, resetsAt: resetsAt.toISOString(), plan: limits.plan }
  await queueEvent(deps, tx, { id: newId('message'), accountId, type: 'quota.low', at, body })
}
