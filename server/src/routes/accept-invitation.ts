import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleOrganisation, organisation } from '../http/organisation-schemas.ts'
import { acceptInvitation, type OrganisationDeps } from '../services/organisations.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/invitations/accept',
  summary: 'Join an organization',
  description: 'With the token of the mail, by an account of the address it was sent to.',
  tag: 'Organisations',
  access: 'session',
  body: z.object({ token: z.string().max(200) }),
  responses: {
    200: {
      description: 'The caller is a member.',
      schema: z.object({ success: z.literal(true), data: organisation }),
      example: { success: true, data: exampleOrganisation },
    },
  },
  refusals: ['invitationInvalid', 'invitationForeign', 'tooManyOrganisations'],
  handle: async (deps: OrganisationDeps, { caller, body, client }) => ({
    success: true,
    data: await acceptInvitation(deps, { accountId: caller.accountId, client }, body.token),
  }),
})
