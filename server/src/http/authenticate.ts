import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import type { Role } from '../core/roles.ts'
import type { Scope } from '../core/scopes.ts'
import type { Admission } from '../services/admission.ts'
import type { Caller, Client, KeyCaller, SessionCaller, UserIdCaller } from '../services/caller.ts'
import { type CrossOriginDeps, shareAnswer } from './cross-origin.ts'
import { isSameSite } from './cross-site.ts'
import { type Access, scopeNeeded } from './define-route.ts'
import { isFromUntrustedProxy } from './forwarding.ts'
import { sessionCookieOf } from './session-cookie.ts'

export interface AuthenticateDeps extends CrossOriginDeps {
  config: Pick<Config, 'publicUrl' | 'accountAccess'>
  /** Resolves a key's value; refuses an unknown, expired or revoked one. */
  authenticateKey(value: string): Promise<KeyCaller>
  /** Resolves a session token; `undefined` for an unknown or ended one. */
  findSession(token: string): Promise<SessionCaller | undefined>
  /** Counts the request toward the hour and gives the headers that say so; refuses when the hour is spent. */
  admitRequest(
    caller: KeyCaller | SessionCaller,
    setHeaders: (headers: Record<string, string>) => void,
  ): Promise<Admission>
  /** The same session, acting for an organisation; refuses who is no member or may not do what takes this role. */
  actForOrganisation(session: SessionCaller, organisationId: string, least: Role | undefined): Promise<SessionCaller>
  /** Accepts a bare userId where the operator allows it, or shortly after a log-in. */
  admitUserId(userId: string, client: Client, action: string): Promise<SessionCaller | UserIdCaller>
}

/** Finds out who is asking, before the body is read. `undefined` where that is allowed or decided later. */
export async function authenticate(
  deps: AuthenticateDeps,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  if (access === 'public') return undefined
  const organisation = headerText(request.headers['x-organisation'])
  const keyValue = access === 'session' ? undefined : headerText(request.headers['x-api-key'])
  if (keyValue) {
    const caller = await deps.authenticateKey(keyValue)
    await shareAnswer(deps, caller.accountId, request, reply)
    // A key acts for its own account; anyone who names another means something else.
    if (organisation !== undefined && organisation !== caller.accountId) return refuse('organisationNotFound')
    const admission = await deps.admitRequest(caller, (headers) => reply.headers(headers))
    const scope = scopeOf(request)
    if (scope && !caller.scopes.includes(scope)) return refuse('scopeMissing', scope)
    return { ...caller, admission }
  }
  if (access === 'key') return refuse('keyMissing')
  const person = await authenticateSession(deps, request)
  const session =
    person && organisation ? await deps.actForOrganisation(person, organisation, leastRole(request)) : person
  if (session && access === 'key-or-session') {
    const admission = await deps.admitRequest(session, (headers) => void reply.headers(headers))
    return { ...session, admission }
  }
  if (session) return session
  if (access === 'key-or-session') return refuse('keyMissing')
  return isUserIdEnough(deps, request) ? undefined : refuse('sessionMissing')
}

/**
 * A credential that does not work is not the same as none. A page of another site has none, yet sends from the same address:
 * it is distinguished by what browsers say of it.
 */
function isUserIdEnough(deps: AuthenticateDeps, request: FastifyRequest): boolean {
  const { authorization, origin, 'sec-fetch-site': fetchSite } = request.headers
  if (deps.config.accountAccess === 'session' || authorization || sessionCookieOf(request, deps.config)) return false
  if (deps.config.accountAccess === 'login' && isFromUntrustedProxy(request)) return false
  const isFromBrowser = origin !== undefined || (fetchSite !== undefined && fetchSite !== 'none')
  return !isFromBrowser || isSameSite('POST', request.headers, deps.config)
}

async function authenticateSession(
  deps: AuthenticateDeps,
  request: FastifyRequest,
): Promise<SessionCaller | undefined> {
  const bearer = bearerToken(request.headers.authorization)
  if (bearer !== undefined) return deps.findSession(bearer)
  const token = sessionCookieOf(request, deps.config)
  if (!token) return undefined
  const caller = await deps.findSession(token)
  if (caller && !isSameSite(request.method, request.headers, deps.config)) return refuse('crossSite')
  return caller
}

/**
 * Makes sure that the userId a request names is the caller's own. Without a credential the userId alone decides, as far
 * as the operator and a recent log-in allow.
 */
export async function settleUserId(
  deps: AuthenticateDeps,
  caller: Caller | undefined,
  named: readonly unknown[],
  request: FastifyRequest,
): Promise<Caller> {
  const userIds = named.filter((userId): userId is string => typeof userId === 'string')
  const [userId] = userIds
  if (caller) {
    if (userIds.every((other) => other === caller.accountId)) return caller
    const isOrganisation = looksLikeId('organisation', userId ?? '') && userIds.every((other) => other === userId)
    if (!isOrganisation || !userId || caller.via !== 'session' || caller.memberId) return refuse('userIdForeign')
    return deps.actForOrganisation(caller, userId, leastRole(request))
  }
  if (!userId || userIds.some((other) => other !== userId)) return refuse('sessionMissing')
  const action = `${request.method} ${request.routeOptions.url}`
  return deps.admitUserId(userId, clientOf(request), action)
}

const scopeOf = ({ routeOptions }: FastifyRequest): Scope | undefined => {
  const { route } = routeOptions.config
  return route && scopeNeeded(route)
}

const leastRole = (request: FastifyRequest): Role | undefined => request.routeOptions.config.route?.organisation

export const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 256),
  ...(request.caller?.via === 'session' && request.caller.memberId && { member: request.caller.memberId }),
})

const headerText = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.trim() || undefined

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(authorization ?? '')?.[1]
}
