import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { answerLogIn, loggedIn } from '../http/answer-log-in.ts'
import { defineRoute } from '../http/define-route.ts'
import { email, message, timestamp } from '../http/fields.ts'
import { deviceCookieOf } from '../http/session-cookie.ts'
import { type LogInDeps, logIn } from '../services/log-in.ts'

const secondFactorWords = 'A second factor is needed.'

const secondFactorDue = z
  .object({
    message,
    challenge: z.string().meta({ description: 'To be sent back with the second factor.' }),
    factors: z.array(z.enum(['totp', 'passkey', 'recovery-code'])).meta({ description: 'What may be sent.' }),
    passkeyOptions: z
      .looseObject({})
      .nullable()
      .meta({ description: 'For `navigator.credentials.get`, in the JSON form of WebAuthn.' }),
    expiresAt: timestamp,
  })
  .meta({ id: 'SecondFactorDue' })

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
    202: {
      description:
        'The password is right, and the account asks for a second factor: send it to `POST /api/login/second-factor` within five minutes. Accounts without one never get this answer.',
      schema: secondFactorDue,
      example: {
        message: secondFactorWords,
        challenge: '<CHALLENGE>',
        factors: ['totp', 'recovery-code'],
        passkeyOptions: null,
        expiresAt: '2026-03-10T12:05:00.000Z',
      },
    },
  },
  refusals: ['loginFailed', 'emailUnverified', 'tooManyLogins', 'busy'],
  async handle(deps: LogInDeps & { config: Config }, { body, client, request, reply }) {
    const outcome = await logIn(deps, { ...body, device: deviceCookieOf(request) }, client)
    if (outcome.kind === 'done') return answerLogIn(deps.config, request, reply, outcome)
    const { challenge, factors, passkeyOptions, expiresAt } = outcome
    reply.code(202)
    return { message: secondFactorWords, challenge, factors, passkeyOptions, expiresAt: expiresAt.toISOString() }
  },
})
