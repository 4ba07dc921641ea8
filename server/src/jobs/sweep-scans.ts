import { defineJob } from '../queue/job.ts'
import { retentionJob, sweepScans } from '../services/retention.ts'

export default defineJob(retentionJob, async (deps: Parameters<typeof sweepScans>[0], _payload, { signal }) => {
  await sweepScans(deps, signal)
})
