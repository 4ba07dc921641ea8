import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import type { LoggedIn } from '../services/log-in.ts'
import type { ResponseDoc } from './define-route.ts'
import { message, timestamp, userId } from './fields.ts'
import { setDeviceCookie, setSessionCookie } from './session-cookie.ts'

const words = 'Logged in.'

/** However someone proves who they are, the answer is the same. */
export const loggedIn: ResponseDoc = {
  description: 'Logged in.',
  schema: z.object({ message, userId, token: z.string(), tokenType: z.literal('Bearer'), expiresAt: timestamp }),
  example: {
    message: words,
    userId: 'usr_4v8k2m0x9c7b1n5t3q6w8e2r4y',
    token: '<TOKEN>',
    tokenType: 'Bearer',
    expiresAt: '2026-03-17T12:00:00.000Z',
  },
  headers: {
    'Set-Cookie':
      '`assay_session`, HttpOnly, SameSite=Lax; behind https `__Host-assay_session`, Secure. `assay_device` identifies this browser at the next log-in.',
  },
}

export function answerLogIn(config: Config, request: FastifyRequest, reply: FastifyReply, session: LoggedIn) {
  setSessionCookie(request, reply, config, session)
  setDeviceCookie(request, reply, config, session.device)
  return {
    message: words,
    userId: session.userId,
    token: session.token,
    tokenType: 'Bearer',
    expiresAt: session.expiresAt.toISOString(),
  }
}
