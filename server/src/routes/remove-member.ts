import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { memberParams } from '../http/organisation-schemas.ts'
import { type OrganisationDeps, removeMember } from '../services/organisations.ts'

const words = 'The member was removed.'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/organisations/:organisationId/members/:memberId',
  summary: 'Remove a member, or leave',
  description:
    'An owner removes anybody; everybody may leave. The last owner stays. Keys of the organisation go on working: revoke those that the person knew.',
  tag: 'Organisations',
  access: 'session',
  params: memberParams,
  responses: {
    200: {
      description: 'From the next request on they are a stranger.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: words },
    },
  },
  refusals: ['organisationNotFound', 'memberNotFound', 'roleTooLow', 'lastOwner'],
  async handle(deps: OrganisationDeps, { caller, params, client }) {
    await removeMember(deps, { accountId: caller.accountId, client }, params)
    return { success: true, message: words }
  },
})
