import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleInvitation, invitation, organisationParams } from '../http/organisation-schemas.ts'
import { listInvitations, type OrganisationDeps } from '../services/organisations.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/organisations/:organisationId/invitations',
  summary: 'Open invitations',
  description: 'Takes an owner.',
  tag: 'Organisations',
  access: 'session',
  params: organisationParams,
  list: 'invitations',
  responses: {
    200: {
      description: 'Those that still work, the newest first.',
      schema: z.object({ success: z.literal(true), data: z.object({ invitations: z.array(invitation) }) }),
      example: { success: true, data: { invitations: [exampleInvitation] } },
    },
  },
  refusals: ['organisationNotFound', 'roleTooLow'],
  handle: async (deps: OrganisationDeps, { caller, params, client }) => ({
    success: true,
    data: { invitations: await listInvitations(deps, { accountId: caller.accountId, client }, params.organisationId) },
  }),
})
