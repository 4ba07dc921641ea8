import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { memberParams, role } from '../http/organisation-schemas.ts'
import { changeRole, type OrganisationDeps } from '../services/organisations.ts'

const words = 'The role was changed.'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/organisations/:organisationId/members/:memberId',
  summary: 'Change the role of a member',
  description: 'Takes an owner. The last owner stays one.',
  tag: 'Organisations',
  access: 'session',
  params: memberParams,
  body: z.object({ role }),
  responses: {
    200: {
      description: 'The role holds from the next request on.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: words },
    },
  },
  refusals: ['organisationNotFound', 'memberNotFound', 'roleTooLow', 'lastOwner'],
  async handle(deps: OrganisationDeps, { caller, params, body, client }) {
    await changeRole(deps, { accountId: caller.accountId, client }, params, body.role)
    return { success: true, message: words }
  },
})
