import { defineJob } from '../queue/job.ts'
import { type ResendCodeDeps, resendCodeJob, resendCodes } from '../services/resend-code.ts'

export default defineJob(resendCodeJob, (deps: ResendCodeDeps, request) => resendCodes(deps, request))
