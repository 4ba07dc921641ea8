import type { Config } from '../core/config.ts'
import { defineJob } from '../queue/job.ts'
import { queuedScanJob } from '../services/queue-scans.ts'
import { type QueuedScansDeps, runQueuedScans } from '../services/run-queued-scan.ts'

/** More than there are places for the work, so that one is stored while the next is analysed. */
const PER_WORKER = 2

export default defineJob(
  queuedScanJob,
  (deps: QueuedScansDeps & { readonly config: Pick<Config, 'scanWorkers'> }, _payload, attempt) =>
    runQueuedScans(deps, attempt),
  ({ config }) => PER_WORKER * config.scanWorkers,
)
