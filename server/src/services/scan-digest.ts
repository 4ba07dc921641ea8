import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { MailFacts } from '../messages/mails.ts'
import { defineJobKind } from '../queue/job.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import { createScanNoticeStore } from '../stores/scan-notices.ts'
import type { ScanTable } from '../stores/schema.ts'
import { verdictOf } from './gate.ts'
import { type MailDeps, queueNotice } from './mail.ts'
import { readTally } from './scan-tally.ts'
import { count, giveBack } from './throttle.ts'

export const scanDigestJob = defineJobKind({
  name: 'scan-digests',
  payload: z.object({}),
  retryAfterSeconds: [60, 600],
  everySeconds: 60,
})

export interface ScanDigestDeps extends MailDeps {
  db: Db
  clock: Clock
  config: Pick<Config, 'publicUrl'>
}

type ScanSummary = MailFacts<'scanFindings'>['scans'][number]

const PAGE = 200
const MAX_FINDINGS = 3
const MAX_SCANS = 10

/** Mails owners what scans with their keys found: the first at once, and what follows within the hour together at its end. */
export async function mailScanDigests(deps: ScanDigestDeps): Promise<void> {
  for (let last = ''; ; ) {
    const accounts = await createScanNoticeStore(deps.db).listAccounts(last, PAGE)
    for (const accountId of accounts) await mailDigest(deps, accountId)
    if (accounts.length < PAGE) return
    last = accounts.at(-1) ?? ''
  }
}

async function mailDigest(deps: ScanDigestDeps, accountId: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const inside = { ...deps, db: tx }
    const stamp = deps.clock.now().getTime()
    const { isAdmitted } = await count(inside, 'scanMails', accountId)
    if (!isAdmitted) return
    const scans: ScanSummary[] = []
    for (const scan of await createScanNoticeStore(tx).take(accountId)) {
      const summary = await describeScan(inside, scan)
      if (summary) scans.push(summary)
    }
    const facts = { scans: scans.slice(0, MAX_SCANS), more: Math.max(0, scans.length - MAX_SCANS) }
    const isQueued = scans.length > 0 && (await queueNotice(deps, tx, accountId, 'scanFindings', facts))
    if (!isQueued) await giveBack(inside, 'scanMails', accountId, stamp)
  })
}

/** Undefined when it is no longer the newest of its project and ref, or nothing severe in it is open and it passed its gate: then there is nothing to do about it. */
async function describeScan({ db, clock }: ScanDigestDeps, scan: ScanTable): Promise<ScanSummary | undefined> {
  const labels = createScanLabelStore(db)
  const label = await labels.find(scan.id)
  if (label && (await labels.findNewest(scan.account_id, label.project, label.ref)) !== scan.id) return undefined
  const open = await createFindingStore(db).listOpenOfScan(scan.account_id, scan.id, clock.now().getTime())
  const ofSeverity = (severity: string): number => open.filter((finding) => finding.severity === severity).length
  const [critical, high] = [ofSeverity('critical'), ofSeverity('high')]
  const gate = verdictOf(label?.gate)
  const gateFailure = gate && !gate.isPassed ? gate.reason : undefined
  if (critical + high === 0 && gateFailure === undefined) return undefined
  return {
    scanId: scan.id,
    fileName: scan.file_name,
    completeness: scan.completeness,
    needsReview: readTally(scan)?.needsReview ?? 0,
    suppressed: scan.suppressed,
    critical,
    high,
    score: scan.score,
    gateFailure,
    worst: open.slice(0, MAX_FINDINGS).map(({ severity, title, file, line }) => ({ severity, title, file, line })),
  }
}
