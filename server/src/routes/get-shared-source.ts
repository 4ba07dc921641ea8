import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { projectSources } from '../http/scan-schemas.ts'
import { unlisted } from '../http/share-schemas.ts'
import { sourceHeaders } from '../http/source-headers.ts'
import { getSharedSource, type SharedDeps } from '../services/share-links.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/shared/:token/source',
  summary: 'The source of a shared link that shows it',
  tag: 'Sharing',
  access: 'public',
  noStore: true,
  responseHeaders: unlisted,
  params: z.object({ token: z.string() }),
  responses: {
    200: {
      description: 'The uploaded file; of a project a JSON of all files.',
      contentType: 'text/plain',
      alsoAs: { 'application/json': projectSources },
    },
  },
  refusals: ['linkNotFound', 'tooManySharedReads'],
  async handle(deps: SharedDeps, { client, params, reply }) {
    const { row, source } = await getSharedSource(deps, client, params.token)
    return reply.headers(sourceHeaders(row)).send(source)
  },
})
