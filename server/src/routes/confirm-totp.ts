import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams } from '../http/fields.ts'
import { endOtherSessions, exampleRecoveryCodes, recoveryCodes } from '../http/second-factor-fields.ts'
import { confirmTotp, endingOf, type SecondFactorDeps } from '../services/second-factors.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/second-factors/:id/confirm',
  summary: 'Confirm an authenticator app by a code of it',
  tag: 'Accounts',
  access: 'session',
  noStore: true,
  params: idParams,
  body: z.object({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: 'must be six digits' }),
    endOtherSessions,
  }),
  responses: {
    200: {
      description: 'From now on a log-in asks for it. The first factor brings recovery codes.',
      schema: z.object({ success: z.literal(true), data: z.object({ recoveryCodes: recoveryCodes.nullable() }) }),
      example: { success: true, data: { recoveryCodes: exampleRecoveryCodes } },
    },
  },
  refusals: ['factorNotFound', 'factorCodeWrong', 'tooManyFactors', 'tooManyLogins'],
  async handle(deps: SecondFactorDeps, { caller, params, body, client }) {
    const answer = { id: params.id, code: body.code, ending: endingOf(caller, body.endOtherSessions) }
    const added = await confirmTotp(deps, caller.accountId, answer, client)
    return { success: true, data: { recoveryCodes: added.recoveryCodes ?? null } }
  },
})
