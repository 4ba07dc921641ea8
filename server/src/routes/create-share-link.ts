import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { momentText } from '../http/fields.ts'
import { exampleNewLink, follows, newShareLink, shows } from '../http/share-schemas.ts'
import { createShareLink, type ShareLinkDeps } from '../services/share-links.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/scans/:scanId/links',
  summary: 'Create a shared link to a scan',
  description:
    'Anyone with the link can read the result without an account, until the link expires or is revoked, or its maker loses the right to share. `source` needs an owner of the organization, or a member whom an owner allows to publish source. The address is shown once and is not stored.',
  tag: 'Sharing',
  access: 'key-or-session',
  once: true,
  organisation: 'member',
  params: z.object({ scanId: z.string() }),
  body: z.object({
    follows: follows.default('scan'),
    shows: shows.default('findings'),
    expiresAt: momentText.optional().describe('At most 365 days from now; absent: 30 days.'),
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
