import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleMember, member, organisationParams } from '../http/organisation-schemas.ts'
import { listMembers, type OrganisationDeps } from '../services/organisations.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/organisations/:organisationId/members',
  summary: 'Members of an organization',
  description: 'Every member may see them.',
  tag: 'Organisations',
  access: 'session',
  params: organisationParams,
  list: 'members',
  responses: {
    200: {
      description: 'All of them.',
      schema: z.object({ success: z.literal(true), data: z.object({ members: z.array(member) }) }),
      example: { success: true, data: { members: [exampleMember] } },
    },
  },
  refusals: ['organisationNotFound'],
  handle: async (deps: OrganisationDeps, { caller, params, client }) => ({
    success: true,
    data: { members: await listMembers(deps, { accountId: caller.accountId, client }, params.organisationId) },
  }),
})
