import { defineJob } from '../queue/job.ts'
import { sweepAccounts, sweepJob } from '../services/sweep.ts'
import type { SweepDeps } from '../services/sweep-guard.ts'

export default defineJob(sweepJob, (deps: SweepDeps) => sweepAccounts(deps))
