import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { email } from '../http/fields.ts'
import { exampleInvitation, invitation, organisationParams, role } from '../http/organisation-schemas.ts'
import { invite, type OrganisationDeps } from '../services/organisations.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/organisations/:organisationId/invitations',
  summary: 'Invite a member by mail',
  description:
    'Takes an owner. The mail holds a token that works once, for seven days, for an account of that address; a newer invitation takes the place of an older one.',
  tag: 'Organisations',
  access: 'session',
  once: true,
  params: organisationParams,
  body: z.object({ email, role: role.default('member') }),
  responses: {
    201: {
      description: 'The mail is on its way.',
      schema: z.object({ success: z.literal(true), data: invitation }),
      example: { success: true, data: exampleInvitation },
    },
  },
  refusals: ['organisationNotFound', 'roleTooLow', 'alreadyMember', 'tooManyMembers', 'tooManyInvitations'],
  handle: async (deps: OrganisationDeps, { caller, params, body, client }) => ({
    success: true,
    data: await invite(deps, { accountId: caller.accountId, client }, params.organisationId, body),
  }),
})
