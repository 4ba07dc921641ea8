import type { Clock } from '../core/clock.ts'
import { defineJob } from '../queue/job.ts'
import { retentionJob, sweepScans } from '../services/retention.ts'
import type { Db } from '../stores/database.ts'

export default defineJob(retentionJob, async (deps: { db: Db; clock: Clock }, _payload, { signal }) => {
  await sweepScans(deps, signal)
})
