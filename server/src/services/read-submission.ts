import { Refusal, statusOf } from '../core/errors.ts'
import { collectSources, isPacked, type Submission } from '../core/sources/collect-sources.ts'
import type { Upload } from '../core/sources/upload.ts'
import type { Limits } from './admission.ts'
import { type AnalyseDeps, analyse, ownerOf } from './analyse.ts'
import { type FetchSourcesDeps, fetchSources } from './fetch-sources.ts'

export type ReadSubmissionDeps = AnalyseDeps & FetchSourcesDeps

interface SubmissionRequest {
  readonly accountId: string
  readonly limits: Limits
  readonly signal: AbortSignal
}

/** What is to be scanned: fetched if the upload only says where it lies, and unpacked in a worker if it is packed. */
export async function readSubmission(
  deps: ReadSubmissionDeps,
  { accountId, limits, signal }: SubmissionRequest,
  given: Upload,
): Promise<Submission> {
  const maxBytes = limits.maxFileBytes
  const upload = await fetchSources(deps, given, { maxBytes, signal })
  if (!isPacked(upload)) return collectSources(upload, maxBytes)
  const owner = ownerOf(accountId, limits)
  const unpacked = await analyse(deps, owner, deps.analysis.unpack({ upload, maxBytes }, { owner, signal }))
  if (unpacked.outcome === 'unpacked') return unpacked.submission
  const { name, words, headers } = unpacked.refusal
  throw new Refusal(name, statusOf(name), words, headers)
}
