import {
  answerEitherScan,
  type EitherScanDeps,
  scanQuery,
  scanRequestHeaders,
  scanResponses,
} from '../http/answer-either-scan.ts'
import { defineRoute } from '../http/define-route.ts'
import { fetchRefusals, scanRefusals, scanRoute } from '../http/scan-route.ts'
import { scanDocument } from '../http/scan-schemas.ts'

export default defineRoute({
  ...scanRoute,
  url: '/api/v1/scan',
  summary: 'Scan a Solidity file or project',
  description:
    'Detects known vulnerabilities, scores the file and gives advice. Unresolved imports never stop a scan; what cannot be parsed is listed in `parseErrors`. Counts toward the daily quota only when a result is produced. Retry a 429 with exponential backoff and jitter, no earlier than `Retry-After` says. JSON documents are accepted here too, for older clients: use `/api/v1/scan/sources`, `/api/v1/scan/address` or `/api/v1/scan/repository` instead.',
  query: scanQuery,
  jsonUpload: scanDocument,
  describedBody: 'upload',
  requestHeaders: scanRequestHeaders,
  responses: scanResponses,
  refusals: scanRefusals({ ofUpload: ['scanNotFound', 'brokenJson', 'repeatedName', ...fetchRefusals] }),
  handle: (deps: EitherScanDeps, input) => answerEitherScan(deps, input),
})
