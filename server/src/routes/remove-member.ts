import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { ended, handOver, memberParams } from '../http/organisation-schemas.ts'
import { type MemberDeps, removeMember } from '../services/organisations.ts'

const words = 'The member was removed.'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/organisations/:organisationId/members/:memberId',
  summary: 'Remove a member, or leave',
  description:
    'An owner removes any member; every member may leave. The last owner stays. Keys, links and webhooks that they made for the organization end in the same step, unless an owner who removes them keeps some.',
  tag: 'Organisations',
  access: 'session',
  params: memberParams,
  query: handOver,
  responses: {
    200: {
      description: 'From the next request on they have no access.',
      schema: z.object({ success: z.literal(true), message, data: z.object({ ended }) }),
      example: { success: true, message: words, data: { ended: { links: 2, webhooks: 0, keys: 1 } } },
    },
  },
  refusals: ['invalid', 'organisationNotFound', 'memberNotFound', 'roleTooLow', 'lastOwner'],
  handle: async (deps: MemberDeps, { caller, params, query, client }) => ({
    success: true,
    message: words,
    data: { ended: await removeMember(deps, { accountId: caller.accountId, client }, params, query) },
  }),
})
