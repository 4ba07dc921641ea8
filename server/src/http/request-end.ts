import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type {} from './request-scope.ts'

/** What nginx calls a client that closed the connection before its answer. */
const CLIENT_GONE = 499

export interface RequestEnd {
  /** Of the answer; 499 when the client did not wait for it. */
  readonly status: number
  readonly ms: number
}

/** Calls the listener once for each request, answered or not: Fastify's own hook hears of answers alone. */
export function whenRequestEnds(
  app: FastifyInstance,
  listener: (request: FastifyRequest, reply: FastifyReply, end: RequestEnd) => void,
): void {
  const ended = new WeakSet<FastifyRequest>()
  const end = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    if (ended.has(request)) return
    ended.add(request)
    listener(request, reply, { status, ms: reply.elapsedTime })
  }
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request
    scope.hold(() => {
      if (scope.gone.aborted) end(request, reply, CLIENT_GONE)
    })
  })
  app.addHook('onResponse', async (request, reply) => end(request, reply, reply.statusCode))
}
