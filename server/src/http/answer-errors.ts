import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  DatabaseAway,
  problemName,
  problemTitle,
  Refusal,
  type RefusalName,
  refusalOf,
  UnstorableText,
} from '../core/errors.ts'
import type { Log } from '../core/log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The refusal this request was answered with. */
    refusal: RefusalName | undefined
  }
}

/** Fastify's own failures, in the words of the catalogue. */
function translate(error: FastifyError, maxBodyBytes: number): Refusal | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return refusalOf('brokenJson')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusalOf('bodyTooLarge', maxBodyBytes)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return refusalOf('notJson')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return refusalOf('unknownRoute')
    default:
      return error.statusCode && error.statusCode >= 400 && error.statusCode < 500 ? refusalOf('badRequest') : undefined
  }
}

/** Every failure leaves as `{"error": "…"}`; whatever is not a refusal is logged and named only by its reference. */
export function answerErrors(app: FastifyInstance, deps: { log: Log }): void {
  app.decorateRequest('refusal', undefined)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = error instanceof Refusal ? error : translate(error, request.routeOptions.bodyLimit ?? 0)
    if (refusal) return sendRefusal(request, reply, refusal)
    // No field that a route describes gets here with one; a header might.
    if (error instanceof UnstorableText) return sendRefusal(request, reply, refusalOf('badRequest'))
    if (error instanceof DatabaseAway) {
      deps.log.warn({ err: error, requestId: request.id, route: request.routeOptions.url }, 'the database is away')
      return sendRefusal(request, reply, refusalOf('unavailable'))
    }
    deps.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed')
    const isScan = request.routeOptions.config.route?.tag === 'Scans'
    return sendRefusal(request, reply, refusalOf(isScan ? 'scanFailed' : 'internal', request.id))
  })
}

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.refusal = refusal.refusal
  reply.code(refusal.status).headers(refusal.headers)
  if (isLongUnread(request) || refusal.status === 408) hangUp(request, reply)
  if (!reply.getHeader('cache-control')) reply.header('cache-control', 'no-store')
  return wantsProblem(request.headers.accept)
    ? reply.type('application/problem+json').send(JSON.stringify(problemOf(refusal, request.id)))
    : reply.type('application/json; charset=utf-8').send(JSON.stringify({ error: refusal.message }))
}

const DRAIN_BYTES = 64 * 1024
const LINGER_MS = 1000

/** A refusal that comes before a long body was read: waiting for the rest would mean taking all of it. */
const isLongUnread = ({ raw, headers }: FastifyRequest): boolean =>
  !raw.complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > DRAIN_BYTES)

/**
 * Answers, then ends the connection; the wait lets the client read the answer before it sees the end. Node would destroy the socket
 * with the last byte of the answer, and a socket destroyed with unread bytes resets the connection: the answer could be lost on its way.
 */
function hangUp(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close')
  const { socket } = request.raw
  // An injected request has a socket in name only.
  if (typeof socket?.destroySoon !== 'function') return
  socket.destroySoon = () => void socket.end()
  reply.raw.once('finish', () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

const wantsProblem = (accept: string | undefined): boolean =>
  accept !== undefined && /(^|,)\s*application\/problem\+json\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i.test(accept)

/** RFC 9457; the type is an address at which the refusal is described. */
const problemOf = (refusal: Refusal, requestId: string) => ({
  type: `/problems/${problemName(refusal.refusal)}`,
  title: problemTitle(refusal.refusal),
  status: refusal.status,
  detail: refusal.message,
  instance: requestId,
  ...refusal.place,
})
