import { defineJob } from '../queue/job.ts'
import { type ResendCodeDeps, resendCode, resendCodeJob } from '../services/resend-code.ts'

export default defineJob(resendCodeJob, (deps: ResendCodeDeps, request) => resendCode(deps, request))
