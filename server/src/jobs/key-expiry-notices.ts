import { defineJob } from '../queue/job.ts'
import { type KeyExpiryDeps, keyExpiryJob, warnOfExpiringKeys } from '../services/key-expiry.ts'

export default defineJob(keyExpiryJob, (deps: KeyExpiryDeps) => warnOfExpiringKeys(deps))
