import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { answerOutcome, loggedIn, secondFactorNeeded } from '../http/answer-log-in.ts'
import { defineRoute } from '../http/define-route.ts'
import { email } from '../http/fields.ts'
import { deviceCookieOf } from '../http/session-cookie.ts'
import { type LogInDeps, logIn } from '../services/log-in.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/login',
  summary: 'Log in',
  description:
    'Gives a token for `Authorization: Bearer …`, valid for 7 days, and sets the same token as an HttpOnly cookie for browsers.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({ email, password: z.string().min(1).max(1024).meta({ format: 'password' }) }),
  responses: {
    200: loggedIn,
    202: secondFactorNeeded(
      'The password is right, and the account asks for a second factor: send it to `POST /api/login/second-factor` within five minutes. Accounts without one never get this answer.',
    ),
  },
  refusals: ['loginFailed', 'emailUnverified', 'tooManyLogins', 'busy'],
  async handle(deps: LogInDeps & { config: Config }, { body, client, request, reply }) {
    const outcome = await logIn(deps, { ...body, device: deviceCookieOf(request) }, client)
    return answerOutcome(deps.config, request, reply, outcome)
  },
})
