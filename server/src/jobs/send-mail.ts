import { defineJob } from '../queue/job.ts'
import { type DeliverMailDeps, deliverMail, mailJob } from '../services/mail.ts'

export default defineJob(mailJob, (deps: DeliverMailDeps, mail) => deliverMail(deps, mail))
