import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'

/** By which proxies, tunnels and balancers say that they passed a request on, and for whom. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fly-client-ip',
]

export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  forwardingHeaders.some((name) => headers[name] !== undefined)

/** Passed on by someone whose word for the client's address is not taken: others may have the same address. */
export function isFromUntrustedProxy({ headers, ips }: Pick<FastifyRequest, 'headers' | 'ips'>): boolean {
  if (!isForwarded(headers)) return false
  const named = [headers['x-forwarded-for'] ?? []].flat().join().split(',').filter(Boolean)
  // Those whose word is taken, and the one that they speak for.
  const believed = ips?.length ?? 1
  return named.length === 0 || believed <= named.length
}

const words =
  'ACCOUNT_ACCESS=login, and a request came through a proxy whose headers are not trusted: behind it all clients share one address. Such requests need a session. Set TRUST_PROXY to the number of proxies or their addresses, or ACCOUNT_ACCESS=session.'

/** Said once, at the first such request: no setting tells whether there is a proxy. */
export function warnOfUntrustedProxy(app: FastifyInstance, { accountAccess }: Pick<Config, 'accountAccess'>): void {
  if (accountAccess !== 'login') return
  let isReported = false
  app.addHook('onRequest', async (request) => {
    if (isReported || !isFromUntrustedProxy(request)) return
    isReported = true
    request.log.warn(words)
  })
}
