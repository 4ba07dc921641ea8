import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleLink, shareLink } from '../http/share-schemas.ts'
import { listShareLinks, type ShareLinkDeps } from '../services/share-links.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/links',
  summary: 'Your active shared links',
  tag: 'Sharing',
  access: 'key-or-session',
  organisation: 'auditor',
  list: 'links',
  responses: {
    200: {
      description: 'The newest first; without their addresses, which nobody knows any more.',
      schema: z.object({ success: z.literal(true), data: z.object({ links: z.array(shareLink) }) }),
      example: { success: true, data: { links: [exampleLink] } },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent'],
  handle: async (deps: ShareLinkDeps, { caller }) => ({
    success: true,
    data: { links: await listShareLinks(deps, caller.accountId) },
  }),
})
