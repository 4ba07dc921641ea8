import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams } from '../http/fields.ts'
import { currentPassword } from '../http/second-factor-fields.ts'
import { removeSecondFactor, type SecondFactorDeps } from '../services/second-factors.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/second-factors/:id/remove',
  summary: 'Remove a second factor',
  description: 'A POST, because it takes the password. The last factor takes the recovery codes with it.',
  tag: 'Accounts',
  access: 'session',
  params: idParams,
  body: z.object({ password: currentPassword }),
  responses: {
    200: { description: 'Removed.', schema: z.object({ success: z.literal(true) }), example: { success: true } },
  },
  refusals: ['factorNotFound', 'passwordWrong', 'tooManyLogins', 'busy'],
  async handle(deps: SecondFactorDeps, { caller, params, body, client }) {
    await removeSecondFactor(deps, caller.accountId, { id: params.id, password: body.password }, client)
    return { success: true }
  },
})
