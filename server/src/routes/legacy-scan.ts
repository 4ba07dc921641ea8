import { z } from 'zod'
import { answerScan, type ScanDeps } from '../http/answer-scan.ts'
import { mediaTypes } from '../http/choose-format.ts'
import { defineRoute } from '../http/define-route.ts'
import { scanRefusals, scanRoute } from '../http/scan-route.ts'
import { exampleResult } from '../http/scan-schemas.ts'

const result = z.object({
  success: z.string(),
  message: z.string(),
  file: z.string(),
  vulnerabilitiesCount: z.int(),
  dataVulnerabilities: z.array(z.object({ vulnerabilityId: z.int() })),
})

const [file, ...labels] = scanRoute.upload

export default defineRoute({
  ...scanRoute,
  upload: [{ ...file, isList: false, description: 'A .sol file.' }, ...labels],
  url: '/scan',
  summary: 'Scan a Solidity file (earlier shape)',
  description: 'Use `POST /api/v1/scan`. Same key, same limits, same charge; the answer has the earlier shape.',
  deprecated: true,
  responseHeaders: {
    deprecation: '@1772323200',
    sunset: 'Thu, 30 Sep 2027 00:00:00 GMT',
    link: '</api/v1/scan>; rel="successor-version"',
  },
  requestHeaders: {
    'Idempotency-Key': 'As on `POST /api/v1/scan`.',
  },
  responses: {
    200: {
      description: 'The result.',
      schema: result,
      example: {
        success: 'File scanned successfully.',
        message: '1 vulnerability found. This endpoint is deprecated: use POST /api/v1/scan, which says where and why.',
        file: exampleResult.file,
        vulnerabilitiesCount: 1,
        dataVulnerabilities: [{ vulnerabilityId: 103 }],
      },
      headers: {
        Deprecation: 'Since when this endpoint is deprecated.',
        Sunset: 'When it ends.',
        Link: 'Its successor.',
      },
    },
  },
  refusals: scanRefusals(),
  handle: (deps: ScanDeps, { caller, request, reply }) =>
    answerScan(
      deps,
      { caller, request, reply },
      {
        route: 'legacy-scan',
        format: 'legacy',
        contentType: mediaTypes.json,
        suppressions: 'honour',
        scope: 'product',
      },
    ),
})
