import { defineJob } from '../queue/job.ts'
import { type BatchNoticeDeps, batchNoticeJob, tellOfBatch } from '../services/batch-notice.ts'

export default defineJob(batchNoticeJob, (deps: BatchNoticeDeps, payload) => tellOfBatch(deps, payload))
