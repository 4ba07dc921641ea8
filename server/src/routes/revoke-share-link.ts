import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { revokeShareLink, type ShareLinkDeps } from '../services/share-links.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/links/:id',
  summary: 'Revoke a shared link',
  tag: 'Sharing',
  access: 'key-or-session',
  organisation: 'member',
  params: z.object({ id: z.string() }),
  responses: {
    200: {
      description: 'It opens nothing any more.',
      schema: z.object({ success: z.literal(true), message: z.string() }),
      example: { success: true, message: 'Link revoked.' },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'crossSite', 'hourSpent', 'linkNotFound'],
  async handle(deps: ShareLinkDeps, { caller, client, params }) {
    await revokeShareLink(deps, { caller, client }, params.id)
    return { success: true, message: 'Link revoked.' }
  },
})
