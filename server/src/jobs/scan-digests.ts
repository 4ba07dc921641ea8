import { defineJob } from '../queue/job.ts'
import { mailScanDigests, type ScanDigestDeps, scanDigestJob } from '../services/scan-digest.ts'

export default defineJob(scanDigestJob, (deps: ScanDigestDeps) => mailScanDigests(deps))
