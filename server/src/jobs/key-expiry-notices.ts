import { defineJob } from '../queue/job.ts'
import { type KeyExpiryDeps, keyExpiryJob, tellOfExpiringKeys } from '../services/key-expiry.ts'

export default defineJob(keyExpiryJob, (deps: KeyExpiryDeps) => tellOfExpiringKeys(deps))
