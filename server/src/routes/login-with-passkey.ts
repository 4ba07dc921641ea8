import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { answerLogIn, loggedIn } from '../http/answer-log-in.ts'
import { defineRoute } from '../http/define-route.ts'
import { challenge, passkeyResponse } from '../http/second-factor-fields.ts'
import { deviceCookieOf } from '../http/session-cookie.ts'
import { type CompleteLogInDeps, logInWithPasskey } from '../services/complete-log-in.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/login/passkey',
  summary: 'Log in by passkey, without a password',
  description: 'The authenticator must have made sure of its owner (user verification).',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({ challenge, passkey: passkeyResponse }),
  responses: { 200: loggedIn },
  refusals: ['loginExpired', 'passkeyRefused', 'tooManyLogins'],
  async handle(deps: CompleteLogInDeps & { config: Config }, { body, client, request, reply }) {
    const answer = { challenge: body.challenge, response: body.passkey }
    const session = await logInWithPasskey(deps, answer, deviceCookieOf(request), client)
    return answerLogIn(deps.config, request, reply, session)
  },
})
