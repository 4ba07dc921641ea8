import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'

type SiteConfig = Pick<Config, 'publicUrl'>

const isHttps = (config: SiteConfig): boolean => config.publicUrl.startsWith('https:')

/** Behind https the prefix makes browsers refuse a cookie of this name from a neighbouring host or from plain http. */
const nameOf = (config: SiteConfig): string => `${isHttps(config) ? '__Host-' : ''}assay_session`

const DEVICE_COOKIE = 'assay_device'
const DEVICE_DAYS = 180

const attributes = (request: FastifyRequest, config: SiteConfig) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isHttps(config) || request.protocol === 'https',
})

export const sessionCookieOf = (request: FastifyRequest, config: SiteConfig): string | undefined =>
  request.cookies[nameOf(config)] || undefined

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: SiteConfig,
  session: { token: string; expiresAt: Date },
): void {
  reply.setCookie(nameOf(config), session.token, { ...attributes(request, config), expires: session.expiresAt })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: SiteConfig): void {
  reply.clearCookie(nameOf(config), attributes(request, config))
}

export const deviceCookieOf = (request: FastifyRequest): string | undefined => request.cookies[DEVICE_COOKIE]

/** Tells this browser from outsiders in the same network at the next log-in; opens nothing. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, config: SiteConfig, mark: string): void {
  const onlyThere = { path: '/api/login', maxAge: DEVICE_DAYS * 86_400 }
  reply.setCookie(DEVICE_COOKIE, mark, { ...attributes(request, config), ...onlyThere })
}

const SIGN_IN_COOKIE = 'assay_sign_in'
const onlyForSignIn = { path: '/api/login/provider' }

export const signInCookieOf = (request: FastifyRequest): string | undefined => request.cookies[SIGN_IN_COOKIE]

/** Binds a sign-in at a provider to the browser that began it. */
export function setSignInCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: SiteConfig,
  kept: string,
  lifetimeSeconds: number,
): void {
  const given = { ...attributes(request, config), ...onlyForSignIn, maxAge: lifetimeSeconds }
  reply.setCookie(SIGN_IN_COOKIE, kept, given)
}

export function clearSignInCookie(request: FastifyRequest, reply: FastifyReply, config: SiteConfig): void {
  reply.clearCookie(SIGN_IN_COOKIE, { ...attributes(request, config), ...onlyForSignIn })
}
