import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { label } from '../http/fields.ts'
import { exampleOrganisation, organisation, organisationParams } from '../http/organisation-schemas.ts'
import { type OrganisationDeps, renameOrganisation } from '../services/organisations.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/organisations/:organisationId',
  summary: 'Rename an organization',
  description: 'Takes an owner.',
  tag: 'Organisations',
  access: 'session',
  params: organisationParams,
  body: z.object({ name: label }),
  responses: {
    200: {
      description: 'As it is now.',
      schema: z.object({ success: z.literal(true), data: organisation }),
      example: { success: true, data: exampleOrganisation },
    },
  },
  refusals: ['organisationNotFound', 'roleTooLow'],
  handle: async (deps: OrganisationDeps, { caller, params, body, client }) => ({
    success: true,
    data: await renameOrganisation(deps, { accountId: caller.accountId, client }, params.organisationId, body.name),
  }),
})
