import {
  answerEitherScan,
  type EitherScanDeps,
  scanQuery,
  scanRequestHeaders,
  scanResponses,
} from '../http/answer-either-scan.ts'
import { defineRoute } from '../http/define-route.ts'
import { fetchRefusals, scanRefusals, uploadRoute } from '../http/scan-route.ts'
import { addressDocument, exampleAddress } from '../http/scan-schemas.ts'

export default defineRoute({
  ...uploadRoute,
  url: '/api/v1/scan/address',
  summary: 'Scan a deployed contract',
  description:
    'The verified source of a contract, found by its chain and address; a proxy is followed to its implementation. Available where the operator configured a source host.',
  query: scanQuery,
  jsonUpload: addressDocument,
  jsonExample: exampleAddress,
  requestHeaders: scanRequestHeaders,
  responses: scanResponses,
  refusals: scanRefusals({ ofUpload: ['scanNotFound', 'brokenJson', 'repeatedName', 'notJson', ...fetchRefusals] }),
  handle: (deps: EitherScanDeps, input) => answerEitherScan(deps, input, 'address'),
})
