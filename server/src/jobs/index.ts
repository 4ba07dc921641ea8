import { asSpan, type Tracing } from '../core/tracing.ts'
import { type BoundJob, bindJob, type Job, type JobKind } from '../queue/job.ts'
import batchNotice from './batch-notice.ts'
import deliverWebhook from './deliver-webhook.ts'
import fillRecords from './fill-records.ts'
import keyExpiryNotices from './key-expiry-notices.ts'
import processBillingEvent from './process-billing-event.ts'
import queuedScan from './queued-scan.ts'
import removeAccount from './remove-account.ts'
import resendCode from './resend-code.ts'
import scanDigests from './scan-digests.ts'
import sendMail from './send-mail.ts'
import sendReset from './send-reset.ts'
import sweepAccounts from './sweep-accounts.ts'
import sweepBilling from './sweep-billing.ts'
import sweepDeliveries from './sweep-deliveries.ts'
import sweepScans from './sweep-scans.ts'
import tendScanQueue from './tend-scan-queue.ts'
import weeklyDigests from './weekly-digests.ts'

/** Every background job of the service. */
const jobs = [
  batchNotice,
  fillRecords,
  keyExpiryNotices,
  processBillingEvent,
  queuedScan,
  removeAccount,
  resendCode,
  scanDigests,
  sendMail,
  sendReset,
  sweepAccounts,
  sweepBilling,
  sweepScans,
  deliverWebhook,
  sweepDeliveries,
  tendScanQueue,
  weeklyDigests,
] as const

// biome-ignore lint/suspicious/noExplicitAny: only the deps of each job are of interest here
type DepsOf<Item> = Item extends Job<any, infer Deps> ? Deps : never
type Intersect<Union> = (Union extends unknown ? (item: Union) => void : never) extends (item: infer All) => void
  ? All
  : never

/** What all jobs together touch. */
export type JobDeps = Intersect<DepsOf<(typeof jobs)[number]>>

export const jobKinds = jobs as readonly JobKind<unknown>[]

export const bindJobs = (deps: JobDeps & { readonly tracing?: Tracing | undefined }): BoundJob[] =>
  jobs.map((job) => traceJob(bindJob(job as Job<unknown, JobDeps>, deps), deps.tracing))

/** Each try is a trace: what it stores, mails or delivers are its steps. */
const traceJob = (job: BoundJob, tracing: Tracing | undefined): BoundJob =>
  tracing === undefined
    ? job
    : {
        kind: job.kind,
        run: (payload, attempt) =>
          asSpan(
            tracing.beginJob(`job ${job.kind.name}`, {
              'assay.job.name': job.kind.name,
              'assay.job.attempt': attempt.number,
            }),
            () => job.run(payload, attempt),
          ),
      }
