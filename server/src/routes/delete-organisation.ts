import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { organisationParams } from '../http/organisation-schemas.ts'
import { type DeleteOrganisationDeps, deleteOrganisation } from '../services/delete-organisation.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/organisations/:organisationId',
  summary: 'Delete an organization',
  description:
    'Takes an owner, and the name of the organization as `confirm`. Its subscription ends at once, its keys no longer work, its scans, findings and webhooks are deleted permanently, and its members get an email.',
  tag: 'Organisations',
  access: 'session',
  params: organisationParams,
  query: z.object({ confirm: z.string().max(200).describe('The name of the organization.') }),
  responses: {
    200: {
      description: 'It is gone.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'Organization deleted.' },
    },
  },
  refusals: ['organisationNotFound', 'roleTooLow', 'confirmationWrong', 'billingUnavailable'],
  async handle(deps: DeleteOrganisationDeps, { caller, params, query, client }) {
    const person = { accountId: caller.accountId, client }
    await deleteOrganisation(deps, person, params.organisationId, query.confirm)
    return { success: true, message: 'Organization deleted.' }
  },
})
