import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { role } from '../http/organisation-schemas.ts'
import { readInvitation } from '../services/organisations.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/invitations/read',
  summary: 'Read an invitation',
  description: 'With the token of the mail, before joining: which organization, as what, and for which address.',
  tag: 'Organisations',
  access: 'public',
  noStore: true,
  body: z.object({ token: z.string().max(200) }),
  responses: {
    200: {
      description: 'The invitation is still open.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ organisation: z.string(), email: z.string(), role, expiresAt: timestamp }),
      }),
      example: {
        success: true,
        data: {
          organisation: 'Acme',
          email: 'bob@example.com',
          role: 'member',
          expiresAt: '2026-03-17T12:00:00.000Z',
        },
      },
    },
  },
  refusals: ['invitationInvalid'],
  handle: async (deps: Parameters<typeof readInvitation>[0], { body }) => ({
    success: true,
    data: await readInvitation(deps, body.token),
  }),
})
