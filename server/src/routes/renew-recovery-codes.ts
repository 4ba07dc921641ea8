import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { currentPassword, exampleRecoveryCodes, recoveryCodes } from '../http/second-factor-fields.ts'
import { renewRecoveryCodes, type SecondFactorDeps } from '../services/second-factors.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/recovery-codes',
  summary: 'Make new recovery codes',
  description: 'Your old codes no longer work.',
  tag: 'Accounts',
  access: 'session',
  noStore: true,
  body: z.object({ password: currentPassword }),
  responses: {
    200: {
      description: 'Ten codes.',
      schema: z.object({ success: z.literal(true), data: z.object({ recoveryCodes }) }),
      example: { success: true, data: { recoveryCodes: exampleRecoveryCodes } },
    },
  },
  refusals: ['noSecondFactor', 'passwordWrong', 'tooManyLogins', 'busy'],
  async handle(deps: SecondFactorDeps, { caller, body, client }) {
    const codes = await renewRecoveryCodes(deps, caller.accountId, body.password, client)
    return { success: true, data: { recoveryCodes: codes } }
  },
})
