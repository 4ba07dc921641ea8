import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleOrganisation, organisation } from '../http/organisation-schemas.ts'
import { listOrganisations, type OrganisationDeps } from '../services/organisations.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/organisations',
  summary: 'Organisations of the caller',
  tag: 'Organisations',
  access: 'session',
  list: 'organisations',
  responses: {
    200: {
      description: 'All of them.',
      schema: z.object({ success: z.literal(true), data: z.object({ organisations: z.array(organisation) }) }),
      example: { success: true, data: { organisations: [exampleOrganisation] } },
    },
  },
  refusals: [],
  handle: async (deps: OrganisationDeps, { caller }) => ({
    success: true,
    data: { organisations: await listOrganisations(deps, caller.accountId) },
  }),
})
