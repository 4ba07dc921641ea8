import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { answerLogIn, loggedIn } from '../http/answer-log-in.ts'
import { defineRoute } from '../http/define-route.ts'
import { challenge, passkeyResponse } from '../http/second-factor-fields.ts'
import { deviceCookieOf } from '../http/session-cookie.ts'
import { type CompleteLogInDeps, completeLogIn } from '../services/complete-log-in.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/login/second-factor',
  summary: 'Finish a log-in with a second factor',
  description:
    'After a 202 of `POST /api/login`: exactly one of `code`, `recoveryCode` and `passkey`. Five tries for each challenge.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({
    challenge,
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: 'must be six digits' })
      .optional()
      .meta({ description: 'From the authenticator app.' }),
    recoveryCode: z.string().max(100).optional(),
    passkey: passkeyResponse.optional(),
  }),
  responses: { 200: loggedIn },
  refusals: ['loginExpired', 'secondFactorFailed', 'tooManyLogins'],
  async handle(deps: CompleteLogInDeps & { config: Config }, { body, client, request, reply }) {
    const session = await completeLogIn(deps, body, deviceCookieOf(request), client)
    return answerLogIn(deps.config, request, reply, session)
  },
})
