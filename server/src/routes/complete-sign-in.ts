import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { answerOutcome, loggedIn, secondFactorNeeded } from '../http/answer-log-in.ts'
import { defineRoute } from '../http/define-route.ts'
import { clearSignInCookie, deviceCookieOf, signInCookieOf } from '../http/session-cookie.ts'
import { providerId } from '../http/sign-in-fields.ts'
import { completeSignIn, type SignInDeps } from '../services/sign-in.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/login/provider/complete',
  summary: 'Finish a log-in at a provider',
  description:
    'From the browser that began it, once. The account is the one with the email address that the provider verified; without one, an account is made.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({
    provider: providerId,
    parameters: z.record(z.string().max(100), z.string().max(8192)).meta({
      description: 'Every query parameter of the redirect: `code`, `state` and so on.',
      example: { code: '<CODE>', state: '<STATE>' },
    }),
  }),
  responses: {
    200: loggedIn,
    202: secondFactorNeeded(
      'The provider confirmed who it is, and the account asks for a second factor: send it to `POST /api/login/second-factor` within five minutes.',
    ),
  },
  refusals: [
    'providerNotFound',
    'signInExpired',
    'signInRefused',
    'providerEmailUnverified',
    'providerAway',
    'tooManyLogins',
    'tooManyRegistrations',
  ],
  async handle(deps: SignInDeps & { config: Config }, { body, client, request, reply }) {
    const given = { ...body, kept: signInCookieOf(request), device: deviceCookieOf(request) }
    clearSignInCookie(request, reply, deps.config)
    return answerOutcome(deps.config, request, reply, await completeSignIn(deps, given, client))
  },
})
