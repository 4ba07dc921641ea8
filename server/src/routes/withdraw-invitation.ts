import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { invitationParams } from '../http/organisation-schemas.ts'
import { type OrganisationDeps, withdrawInvitation } from '../services/organisations.ts'

const words = 'The invitation no longer works.'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/organisations/:organisationId/invitations/:invitationId',
  summary: 'Take an invitation back',
  description: 'Takes an owner.',
  tag: 'Organisations',
  access: 'session',
  params: invitationParams,
  responses: {
    200: {
      description: 'Its token no longer works.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: words },
    },
  },
  refusals: ['organisationNotFound', 'invitationNotFound', 'roleTooLow'],
  async handle(deps: OrganisationDeps, { caller, params, client }) {
    const person = { accountId: caller.accountId, client }
    await withdrawInvitation(deps, person, params.organisationId, params.invitationId)
    return { success: true, message: words }
  },
})
