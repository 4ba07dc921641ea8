import {
  answerEitherScan,
  type EitherScanDeps,
  scanQuery,
  scanRequestHeaders,
  scanResponses,
} from '../http/answer-either-scan.ts'
import { defineRoute } from '../http/define-route.ts'
import { scanRefusals, uploadRoute } from '../http/scan-route.ts'
import { exampleDocument, sourcesDocument } from '../http/scan-schemas.ts'

export default defineRoute({
  ...uploadRoute,
  url: '/api/v1/scan/sources',
  summary: 'Scan sources given as JSON',
  description:
    'Paths and sources, or the standard JSON input of solc as it is. Limits, charge and answer are those of `POST /api/v1/scan`.',
  query: scanQuery,
  jsonUpload: sourcesDocument,
  jsonExample: exampleDocument,
  requestHeaders: scanRequestHeaders,
  responses: scanResponses,
  refusals: scanRefusals({ ofUpload: ['scanNotFound', 'brokenJson', 'repeatedName', 'notJson'] }),
  handle: (deps: EitherScanDeps, input) => answerEitherScan(deps, input, 'sources'),
})
