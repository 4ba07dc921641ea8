import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import type { LoggedIn, LogInOutcome } from '../services/log-in.ts'
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

/** The answer to an account that has a second factor. */
export const secondFactorNeeded = (description: string): ResponseDoc => ({
  description,
  schema: secondFactorDue,
  example: {
    message: secondFactorWords,
    challenge: '<CHALLENGE>',
    factors: ['totp', 'recovery-code'],
    passkeyOptions: null,
    expiresAt: '2026-03-10T12:05:00.000Z',
  },
})

export function answerOutcome(config: Config, request: FastifyRequest, reply: FastifyReply, outcome: LogInOutcome) {
  if (outcome.kind === 'done') return answerLogIn(config, request, reply, outcome)
  const { challenge, factors, passkeyOptions, expiresAt } = outcome
  reply.code(202)
  return { message: secondFactorWords, challenge, factors, passkeyOptions, expiresAt: expiresAt.toISOString() }
}
