import { defineJob } from '../queue/job.ts'
import { type SweepDeps, sweepAccounts, sweepJob } from '../services/sweep.ts'

export default defineJob(sweepJob, (deps: SweepDeps) => sweepAccounts(deps))
