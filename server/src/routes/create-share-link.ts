import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleNewLink, follows, newShareLink, shows } from '../http/share-schemas.ts'
import { createShareLink, type ShareLinkDeps } from '../services/share-links.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/scans/:scanId/links',
  summary: 'Make a secret link to a scan',
  description:
    'Whoever has the link reads the result without an account, until it ends or is revoked, or whoever made it may no longer make it. `source` takes an owner of an organisation, or a member whom an owner lets publish. The address is told once and not stored.',
  tag: 'Sharing',
  access: 'key-or-session',
  once: true,
  organisation: 'member',
  params: z.object({ scanId: z.string() }),
  body: z.object({
    follows: follows.default('scan'),
    shows: shows.default('findings'),
    expiresAt: z.iso
      .datetime({ message: 'must be an ISO 8601 UTC timestamp' })
      .optional()
      .describe('At most 365 days from now; absent: 30 days.'),
  }),
  responses: {
    201: {
      description: 'The link.',
      schema: z.object({ success: z.literal(true), data: newShareLink }),
      example: { success: true, data: exampleNewLink },
    },
  },
  refusals: [
    'keyMissing',
    'keyInvalid',
    'crossSite',
    'hourSpent',
    'invalid',
    'publishingNotAllowed',
    'scanNotFound',
    'tooManyLinks',
  ],
  handle: async (deps: ShareLinkDeps, { caller, client, params, body }) => ({
    success: true,
    data: await createShareLink(deps, { caller, client }, params.scanId, body),
  }),
})
