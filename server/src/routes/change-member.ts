import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { canPublishSource, ended, handOver, memberParams, role } from '../http/organisation-schemas.ts'
import { changeMember, type MemberDeps } from '../services/organisations.ts'

const words = 'The member was changed.'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/organisations/:organisationId/members/:memberId',
  summary: 'Change the role and the rights of a member',
  description:
    'Takes an owner. The last owner stays one. Keys, links and webhooks that take more than the new role or rights end in the same step, unless they are kept.',
  tag: 'Organisations',
  access: 'session',
  params: memberParams,
  body: handOver.extend({ role: role.optional(), canPublishSource: canPublishSource.optional() }),
  responses: {
    200: {
      description: 'It holds from the next request on.',
      schema: z.object({ success: z.literal(true), message, data: z.object({ ended }) }),
      example: { success: true, message: words, data: { ended: { links: 0, webhooks: 0, keys: 0 } } },
    },
  },
  refusals: ['organisationNotFound', 'memberNotFound', 'roleTooLow', 'lastOwner'],
  async handle(deps: MemberDeps, { caller, params, body: { role, canPublishSource, ...kept }, client }) {
    const person = { accountId: caller.accountId, client }
    return {
      success: true,
      message: words,
      data: { ended: await changeMember(deps, person, params, { role, canPublishSource }, kept) },
    }
  },
})
