import { defineJob } from '../queue/job.ts'
import { mailWeeklyDigests, type WeeklyDigestDeps, weeklyDigestJob } from '../services/weekly-digest.ts'

export default defineJob(weeklyDigestJob, (deps: WeeklyDigestDeps) => mailWeeklyDigests(deps))
