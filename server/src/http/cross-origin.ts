/**
 * Pages of other sites (Remix and other browser tools) use the interface with an API key, if the account of the key allows their origin.
 * A browser asks first, without the key: it is allowed when some account allows the origin. The answer itself can be read only
 * where the key's own account does. Cookies are never part of it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface CrossOriginDeps {
  /** Whether a page of this origin may read what a key of this account is answered. */
  allowsOrigin(accountId: string, origin: string): Promise<boolean>
  /** Whether any account allows it. */
  isAllowedBySome(origin: string): Promise<boolean>
}

const requestHeaders = ['accept', 'content-type', 'idempotency-key', 'if-none-match', 'prefer', 'x-api-key']
const exposedHeaders = [
  'deprecation',
  'etag',
  'idempotent-replayed',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]
/** Ten minutes: as long as the most patient browser remembers, and not so long that a change is not noticed. */
const maxAgeSeconds = 600
/** No origin is longer: a scheme, a host name and a port. */
const maxOriginLength = 300

export function answerPreflights(app: FastifyInstance, deps: CrossOriginDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isPreflight(request)) return
    const { origin = '' } = request.headers
    // Others get what any request with this method gets.
    if (origin.length > maxOriginLength || !(await deps.isAllowedBySome(origin))) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': requestHeaders.join(', '),
      'access-control-max-age': String(maxAgeSeconds),
      vary: 'origin, access-control-request-method, access-control-request-headers',
    })
    return reply.code(204).send()
  })
}

const isPreflight = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined &&
  /^\/(api\/|scan(\?|$))/.test(url)

/** Lets a page of another site read the answer, refusals too, where the account of the key allows its origin. */
export async function shareAnswer(
  deps: CrossOriginDeps,
  accountId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || origin.length > maxOriginLength) return
  reply.header('vary', 'origin')
  if (!(await deps.allowsOrigin(accountId, origin))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', exposedHeaders.join(', '))
}
