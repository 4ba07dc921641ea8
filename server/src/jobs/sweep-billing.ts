import { z } from 'zod'
import { defineJob } from '../queue/job.ts'
import { type SweepBillingDeps, sweepBilling } from '../services/sweep-billing.ts'

export default defineJob(
  {
    name: 'sweep-billing',
    payload: z.object({}),
    retryAfterSeconds: [],
    timeoutSeconds: 300,
    concurrency: 1,
    everySeconds: 10,
  },
  (deps: SweepBillingDeps) => sweepBilling(deps),
)
