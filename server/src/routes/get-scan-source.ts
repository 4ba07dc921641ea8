import { z } from 'zod'
import { mediaTypes } from '../http/choose-format.ts'
import { tagOf } from '../http/compress-answers.ts'
import { attachment, withExtension } from '../http/content-disposition.ts'
import { defineRoute } from '../http/define-route.ts'
import { getSource, type HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/source',
  summary: 'The source of a scan, byte for byte',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  responses: {
    200: {
      description: 'The uploaded file; of a project a JSON of all files, which can be uploaded again.',
      contentType: 'text/plain',
      alsoAs: ['application/json'],
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps, { caller, params, reply }) {
    const { row, source } = await getSource(deps, caller.accountId, params.scanId)
    return reply
      .headers({
        'content-type': row.is_project ? mediaTypes.json : 'text/plain; charset=utf-8',
        'content-disposition': attachment(row.is_project ? withExtension(row.file_name, 'json') : row.file_name),
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        etag: tagOf(`${row.id} source`),
      })
      .send(source)
  },
})
