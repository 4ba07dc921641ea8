import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { defineRoute } from '../http/define-route.ts'
import { setSignInCookie } from '../http/session-cookie.ts'
import { providerId } from '../http/sign-in-fields.ts'
import { type SignInDeps, startSignIn } from '../services/sign-in.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/login/provider',
  summary: 'Begin a log-in at a provider',
  description:
    'Where the operator configured one: GitHub, Google or an OpenID Connect issuer. Send the browser to `url`; it comes back to `/sign-in/{provider}` with the parameters for `POST /api/login/provider/complete`.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({ provider: providerId }),
  responses: {
    200: {
      description: 'Where to send the browser, within ten minutes. A cookie binds the sign-in to this browser.',
      schema: z.object({ url: z.string() }),
      example: { url: 'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=…' },
    },
  },
  refusals: ['providerNotFound', 'providerAway', 'tooManyLogins'],
  async handle(deps: SignInDeps & { config: Config }, { body, client, request, reply }) {
    const { url, kept, lifetimeSeconds } = await startSignIn(deps, body.provider, client)
    setSignInCookie(request, reply, deps.config, kept, lifetimeSeconds)
    return { url }
  },
})
