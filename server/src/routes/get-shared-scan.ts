import { z } from 'zod'
import { mediaTypes } from '../http/choose-format.ts'
import { tagOf } from '../http/compress-answers.ts'
import { defineRoute } from '../http/define-route.ts'
import { exampleShared, sharedScan, unlisted } from '../http/share-schemas.ts'
import { type SharedDeps, streamShared } from '../services/share-links.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/shared/:token',
  summary: 'The scan of a shared link',
  description: 'The token is what follows the `#` of the link. It is the only credential.',
  tag: 'Sharing',
  access: 'public',
  noStore: true,
  responseHeaders: unlisted,
  params: z.object({ token: z.string() }),
  responses: {
    200: {
      description: 'The result; `shared` says whether the source may be read too.',
      schema: z.object({ success: z.literal(true), data: sharedScan }),
      example: { success: true, data: exampleShared },
    },
  },
  refusals: ['linkNotFound', 'tooManySharedReads', 'scanQueueFull'],
  async handle(deps: SharedDeps, { client, params, reply }) {
    const { body, version } = await streamShared(deps, client, params.token)
    return reply.type(mediaTypes.json).header('etag', tagOf(version)).send(body)
  },
})
