import { defineJob } from '../queue/job.ts'
import { type TendDeps, tendScanQueue, tendScanQueueJob } from '../services/tend-scan-queue.ts'

export default defineJob(tendScanQueueJob, (deps: TendDeps) => tendScanQueue(deps))
