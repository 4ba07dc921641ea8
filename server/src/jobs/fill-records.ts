import { defineJob } from '../queue/job.ts'
import { type FillDeps, fillRecords, fillRecordsJob } from '../services/fill-records.ts'

export default defineJob(fillRecordsJob, async (deps: FillDeps, _payload, { signal }) => {
  await fillRecords(deps, signal)
})
