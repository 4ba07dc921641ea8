import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { defineRoute } from '../http/define-route.ts'
import { email, message, timestamp, userId } from '../http/fields.ts'
import { deviceCookieOf, setDeviceCookie, setSessionCookie } from '../http/session-cookie.ts'
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
    200: {
      description: 'Logged in.',
      schema: z.object({ message, userId, token: z.string(), tokenType: z.literal('Bearer'), expiresAt: timestamp }),
      example: {
        message: 'Logged in.',
        userId: 'usr_4v8k2m0x9c7b1n5t3q6w8e2r4y',
        token: '<TOKEN>',
        tokenType: 'Bearer',
        expiresAt: '2026-03-17T12:00:00.000Z',
      },
      headers: {
        'Set-Cookie':
          '`assay_session`, HttpOnly, SameSite=Lax; behind https `__Host-assay_session`, Secure. `assay_device` tells this browser from strangers at the next log-in.',
      },
    },
  },
  refusals: ['loginFailed', 'emailUnverified', 'tooManyLogins', 'busy'],
  async handle(deps: LogInDeps & { config: Config }, { body, client, request, reply }) {
    const session = await logIn(deps, { ...body, device: deviceCookieOf(request) }, client)
    setSessionCookie(request, reply, deps.config, session)
    setDeviceCookie(request, reply, deps.config, session.device)
    return {
      message: 'Logged in.',
      userId: session.userId,
      token: session.token,
      tokenType: 'Bearer',
      expiresAt: session.expiresAt.toISOString(),
    }
  },
})
