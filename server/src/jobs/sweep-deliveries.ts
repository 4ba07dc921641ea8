import { z } from 'zod'
import { defineJob } from '../queue/job.ts'
import type { SweepDeps } from '../services/sweep-guard.ts'
import { sweepDeliveries } from '../services/webhook-deliveries.ts'

export default defineJob(
  { name: 'sweep-deliveries', payload: z.object({}), retryAfterSeconds: [60, 600], everySeconds: 3600 },
  (deps: SweepDeps) => sweepDeliveries(deps),
)
