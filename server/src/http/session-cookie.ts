import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import { sessionCookie } from './authenticate.ts'

const attributes = (request: FastifyRequest, config: Pick<Config, 'publicUrl'>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: config.publicUrl.startsWith('https:') || request.protocol === 'https',
})

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Pick<Config, 'publicUrl'>,
  session: { token: string; expiresAt: Date },
): void {
  reply.setCookie(sessionCookie, session.token, { ...attributes(request, config), expires: session.expiresAt })
}

export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Pick<Config, 'publicUrl'>,
): void {
  reply.clearCookie(sessionCookie, attributes(request, config))
}
