import { defineJob } from '../queue/job.ts'
import { type BatchNoticeDeps, batchNoticeJob, sendBatchNotice } from '../services/batch-notice.ts'

export default defineJob(batchNoticeJob, (deps: BatchNoticeDeps, payload) => sendBatchNotice(deps, payload))
