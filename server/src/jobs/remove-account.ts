import { defineJob } from '../queue/job.ts'
import { removeAccountJob, removeInPieces } from '../services/remove-account.ts'

export default defineJob(removeAccountJob, (deps: Parameters<typeof removeInPieces>[0], { accountId }, { signal }) =>
  removeInPieces(deps, accountId, signal),
)
