import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../core/config.ts'

/**
 * No inline script anywhere. Inline style attributes stay allowed: pages and reports that the
 * service writes itself have them, and a style cannot run code.
 */
const contentSecurityPolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'script-src-attr': ["'none'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** The headers are the same on every answer: the library, which would work them out anew for each request, is called once. */
export async function securityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): Promise<void> {
  const isHttps = config.publicUrl.startsWith('https:')
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  })
  let headers: readonly (readonly [string, string])[] | undefined
  app.addHook('onRequest', async (_request, reply) => {
    headers ??= await readHelmetHeaders(reply)
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
  })
}

/** Those that were there before are of this one request. */
async function readHelmetHeaders(reply: FastifyReply): Promise<(readonly [string, string])[]> {
  const before = new Set(reply.raw.getHeaderNames())
  await reply.helmet()
  // As the library spells them; the types of Node do not know this method of an answer.
  const { raw } = reply as unknown as { raw: { getRawHeaderNames(): string[] } }
  const added = raw.getRawHeaderNames().filter((name) => !before.has(name.toLowerCase()))
  return added.map((name) => [name, String(reply.raw.getHeader(name))] as const)
}
