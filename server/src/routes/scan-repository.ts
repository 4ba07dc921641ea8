import {
  answerEitherScan,
  type EitherScanDeps,
  scanQuery,
  scanRequestHeaders,
  scanResponses,
} from '../http/answer-either-scan.ts'
import { defineRoute } from '../http/define-route.ts'
import { fetchRefusals, scanRefusals, uploadRoute } from '../http/scan-route.ts'
import { exampleRepository, repositoryDocument } from '../http/scan-schemas.ts'

export default defineRoute({
  ...uploadRoute,
  url: '/api/v1/scan/repository',
  summary: 'Scan a public repository',
  description:
    'Sources of a branch, tag or commit of a public repository. Available where the operator configured a forge.',
  query: scanQuery,
  jsonUpload: repositoryDocument,
  jsonExample: exampleRepository,
  requestHeaders: scanRequestHeaders,
  responses: scanResponses,
  refusals: scanRefusals({ ofUpload: ['scanNotFound', 'brokenJson', 'repeatedName', 'notJson', ...fetchRefusals] }),
  handle: (deps: EitherScanDeps, input) => answerEitherScan(deps, input, 'repository'),
})
