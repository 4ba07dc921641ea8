import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../core/errors.ts'
import type { Caller } from '../services/caller.ts'
import { type IdempotencyDeps, together } from '../services/idempotency.ts'
import { answerOnce } from './answer-once.ts'
import { type AuthenticateDeps, authenticate, clientOf, settleUserId } from './authenticate.ts'
import { defaultBodyBytes, type Route, successStatus } from './define-route.ts'
import { linkNextPage } from './paging.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import type {} from './request-scope.ts'
import { refusalForBadId } from './unknown-routes.ts'
import { validate } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route
  }
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

type MountDeps = AuthenticateDeps & IdempotencyDeps

/** Every session route may name the account it is about; naming another one is refused. */
const optionalUserId = z.object({ userId: z.string().optional() })

/** Turns route data into Fastify routes: credential, then body, then validation, then ownership, then the service. */
export function mountRoutes<D extends MountDeps>(app: FastifyInstance, deps: D, routes: readonly Route<D>[]): void {
  app.decorateRequest('caller', undefined)
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.url,
      bodyLimit: route.maxBodyBytes ?? defaultBodyBytes,
      config: { route: route as Route },
      onRequest: async (request, reply) => {
        if (route.responseHeaders) reply.headers(route.responseHeaders)
        if (route.noStore || route.access !== 'public') reply.header('cache-control', 'no-store')
        request.caller = await authenticate(deps, route.access, request, reply)
      },
      handler: (request, reply) => request.scope.during(() => answer(deps, route, request, reply)),
    })
  }
}

async function answer<D extends MountDeps>(deps: D, route: Route<D>, request: FastifyRequest, reply: FastifyReply) {
  refuseOddIds(route, request.params)
  // Who is asking comes before what they ask for: outsiders learn nothing of the shape of a request.
  if (route.access === 'session' && !request.caller) {
    request.caller = await settleUserId(deps, undefined, [request.query, request.body].map(userIdOf), request)
  }
  const params = validate(route.params, request.params, 'params')
  const query = validate(route.query, withoutEmptyPaging(request.query), 'query')
  const body = route.body ? validate(route.body, request.body, 'body') : request.body
  if (route.access === 'session') {
    const named = [query, body, optionalUserId.safeParse(request.query).data].map(userIdOf)
    request.caller = await settleUserId(deps, request.caller, named, request)
  }
  refuseUnknown(route, request.query, route.body ? request.body : undefined)
  const input = { params, query, body, caller: request.caller, client: clientOf(request), request, reply }
  const result = await (route.once ? handleOnce(deps, route, input) : handle(deps, route, input))
  if (reply.sent || result === reply) return reply
  linkNextPage(request, reply, (result as { data?: { nextCursor?: string | null } } | undefined)?.data?.nextCursor)
  if (reply.statusCode === 200) reply.code(successStatus(route))
  return reply.send(result)
}

interface Input {
  readonly caller: Caller | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function handle<D>(deps: D, route: Route<D>, input: Input): Promise<unknown> {
  await route.before?.(deps, input)
  return route.handle(deps, input)
}

/** The whole request is what must be the same: its path, query and body. */
async function handleOnce<D extends MountDeps>(deps: D, route: Route<D>, input: Input): Promise<unknown> {
  const { caller, request, reply } = input
  if (caller === undefined) return handle(deps, route, input)
  const { accountId } = caller
  const content = [
    ['url', request.url],
    ['body', JSON.stringify(request.body ?? null)],
  ] as const
  return answerOnce(deps, request, reply, { accountId, content, status: successStatus(route) }, async (keep) => {
    await route.before?.(deps, input)
    return together(deps, async (within) => {
      const body = await route.handle(within, input)
      await keep(body, { tx: within.db })
      return body
    })
  })
}

/** `?limit=&cursor=` is how a client asks for the first page with a form that was left empty. */
const withoutEmptyPaging = (query: unknown): object =>
  Object.fromEntries(
    Object.entries(query ?? {}).filter(([name, value]) => value !== '' || (name !== 'limit' && name !== 'cursor')),
  )

const userIdOf = (part: unknown): unknown => (part as { userId?: unknown } | undefined)?.userId

/** No id of this service holds anything but visible letters; what does cannot be requested in a query either. */
function refuseOddIds(route: Pick<Route, 'refusals'>, params: unknown): void {
  const values = Object.values((params ?? {}) as Record<string, string>)
  if (values.some((value) => !/^[\x21-\x7e]*$/.test(value))) refuse(refusalForBadId(route))
}
