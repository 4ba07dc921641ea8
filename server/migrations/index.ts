import { jobs } from './001-jobs.ts'
import { accounts } from './010-accounts.ts'
import { apiKeys } from './011-api-keys.ts'
import { idempotency } from './012-idempotency.ts'
import { compressedReplays } from './013-compressed-replays.ts'
import { idempotencyInstances } from './014-idempotency-instances.ts'
import { scans } from './030-scans.ts'
import { scanDetails } from './031-scan-details.ts'
import { findings } from './032-findings.ts'
import { keyUsage } from './034-key-usage.ts'
import { billing } from './050-billing.ts'
import { webhooks } from './051-webhooks.ts'
import { aiReports } from './052-ai-reports.ts'
import { registrations } from './060-registrations.ts'
import { readiness } from './061-readiness.ts'
import { secondFactors } from './062-second-factors.ts'
import { availableMinutes } from './070-available-minutes.ts'
import { organisations } from './080-organisations.ts'
import { scanRequests } from './090-scan-requests.ts'
import { scanBatches } from './091-scan-batches.ts'
import { keyScopes } from './100-key-scopes.ts'
import { toldOnce } from './101-told-once.ts'
import { allowedOrigins } from './102-allowed-origins.ts'
import { decisions } from './103-decisions.ts'
import { shareLinks } from './110-share-links.ts'
import { emailChanges } from './111-email-changes.ts'
import { monthCounts } from './112-month-counts.ts'
import { scanNotices } from './113-scan-notices.ts'
import { memberIds } from './120-member-ids.ts'
import { makers } from './121-makers.ts'
import { findingRefs } from './130-finding-refs.ts'
import { sweepStates } from './140-sweep-states.ts'
import { expiry } from './141-expiry.ts'
import { requestLabels } from './142-request-labels.ts'
import { accountIndexes } from './150-account-indexes.ts'
import { fills } from './151-fills.ts'
import { operations } from './160-operations.ts'
import { pageIndexes } from './161-page-indexes.ts'
import { notesAndTags } from './170-notes-and-tags.ts'
import { weeklyDigest } from './171-weekly-digest.ts'
import { gates } from './180-gates.ts'
import { tallies } from './181-tallies.ts'
import { projectScopes } from './190-project-scopes.ts'
import type { Migration } from './migration.ts'

export type { ColumnTypes, Migration } from './migration.ts'

/** In the order they are applied. A number is taken once and stays. */
export const migrations: readonly Migration[] = [
  jobs,
  accounts,
  apiKeys,
  idempotency,
  scans,
  scanDetails,
  billing,
  webhooks,
  aiReports,
  compressedReplays,
  registrations,
  readiness,
  availableMinutes,
  findings,
  idempotencyInstances,
  secondFactors,
  organisations,
  keyUsage,
  scanRequests,
  scanBatches,
  keyScopes,
  toldOnce,
  allowedOrigins,
  decisions,
  shareLinks,
  emailChanges,
  monthCounts,
  scanNotices,
  memberIds,
  makers,
  findingRefs,
  sweepStates,
  expiry,
  requestLabels,
  accountIndexes,
  fills,
  operations,
  pageIndexes,
  notesAndTags,
  weeklyDigest,
  gates,
  tallies,
  projectScopes,
]
