import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import { inSpan, type Span, type Tracing } from '../core/tracing.ts'
import { whenRequestEnds } from './request-end.ts'

/**
 * One trace for each request, by the conventional names. The address is its pattern: ids in it are nobody else's business. A step before the service's is
 * believed where a proxy's other headers are.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, config: Pick<Config, 'trustProxy'>): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { traceparent } = request.headers
    const span = tracing.beginRequest(
      `${request.method} ${route}`,
      { 'http.request.method': request.method, 'http.route': route, 'assay.request_id': request.id },
      config.trustProxy && typeof traceparent === 'string' ? traceparent : undefined,
    )
    spans.set(request, span)
    inSpan(span, done)
  })
  // What follows a body runs where the socket was read, outside of what the first hook began.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) inSpan(span, done)
    else done()
  })
  whenRequestEnds(app, (request, _reply, { status }) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': status })
    if (status >= 500) span?.fail(status)
    span?.end()
  })
}
