import { defineJob } from '../queue/job.ts'
import { type SendResetDeps, sendReset, sendResetJob } from '../services/reset-password.ts'

export default defineJob(sendResetJob, (deps: SendResetDeps, request) => sendReset(deps, request))
