import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import cookie from '@fastify/cookie'
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { Config } from './core/config.ts'
import { type RefusalName, refusalOf } from './core/errors.ts'
import type { Gauges } from './core/gauges.ts'
import { newId } from './core/ids.ts'
import type { Lifecycle } from './core/lifecycle.ts'
import { accountReference, type Log } from './core/log.ts'
import { type LogContext, resumeLogContext } from './core/log-context.ts'
import type { Tracing } from './core/tracing.ts'
import { answerErrors, sendRefusal } from './http/answer-errors.ts'
import type { AuthenticateDeps } from './http/authenticate.ts'
import { compressAnswers } from './http/compress-answers.ts'
import { answerPreflights } from './http/cross-origin.ts'
import type { Route } from './http/define-route.ts'
import { endConnectionsInTime } from './http/end-connections.ts'
import { warnOfUntrustedProxy } from './http/forwarding.ts'
import { type Metrics, measureRequests } from './http/metrics.ts'
import { mountRoutes } from './http/mount-routes.ts'
import { parseBodies } from './http/parse-bodies.ts'
import { type PressureLimits, shedUploads } from './http/pressure.ts'
import type { RefusalWatch } from './http/refusal-watch.ts'
import { whenRequestEnds } from './http/request-end.ts'
import { openScopes } from './http/request-scope.ts'
import { securityHeaders } from './http/security-headers.ts'
import { serveDownloads } from './http/serve-downloads.ts'
import { serveOwnPages } from './http/serve-own-pages.ts'
import { serveReference } from './http/serve-reference.ts'
import { readSitePages, serveSite } from './http/serve-site.ts'
import { describeSite } from './http/site-facts.ts'
import { traceRequests } from './http/trace-requests.ts'
import { answerUnknownRoutes, type KnownRoute, refusalForBadUrl } from './http/unknown-routes.ts'
import type { Caller } from './services/caller.ts'
import type { IdempotencyDeps } from './services/idempotency.ts'

export interface AppDeps extends AuthenticateDeps, IdempotencyDeps {
  config: Config
  log: Log
  metrics: Metrics
  gauges: Gauges
  refusalWatch: RefusalWatch
  lifecycle: Lifecycle
  /** Undefined: nobody collects traces. */
  tracing?: Tracing | undefined
  /** What is taken for pressure; tests share their machine with others. */
  pressure?: Pick<PressureLimits, 'maxDelayMs' | 'maxEnteringMs'> | undefined
  /** Folder of the built dashboard. */
  siteDir: string
  /** Whom people may sign in with. */
  signInProviders: readonly { readonly id: string; readonly name: string }[]
  /** Folder of what people download. */
  downloadsDir: string
}

const REQUEST_ID = /^[\w.-]{8,64}$/

/** The whole service over HTTP, without listening: tests inject requests into it. */
export async function buildApp<D extends AppDeps>(deps: D, routes: readonly Route<D>[]): Promise<FastifyInstance> {
  const { config, log } = deps
  const app = fastify(serverOptions(deps, routes))
  answerInsteadOfNode(app)
  openScopes(app)
  const startEnding = endConnectionsInTime(app.server, { withinMs: config.stopWithinMs })
  if (deps.tracing) traceRequests(app, deps.tracing, config)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    startEnding()
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (isHostMissing(request)) throw refusalOf('badRequest')
  })
  // A connection kept alive after the last answer would hold up the end until the client lets go of it, and lose what is sent just then.
  app.addHook('onSend', async (_request, reply, payload) => {
    if (isClosing || deps.lifecycle.isStopping) reply.header('connection', 'close')
    return payload
  })
  compressAnswers(app)
  answerErrors(app, deps)
  measureRequests(app, deps.metrics)
  const pressure = shedUploads(app, { workers: config.scanWorkers, gauges: deps.gauges, ...deps.pressure })
  deps.refusalWatch.watch(app, pressure)
  logRequests(app, log)
  warnOfUntrustedProxy(app, config)
  await securityHeaders(app, config)
  await app.register(cookie)
  answerPreflights(app, deps)
  const pages = await readSitePages(deps.siteDir, describeSite(deps))
  answerUnknownRoutes(app, routes, pages)
  await parseBodies(app)
  serveReference(app, routes, config)
  await serveSite(app, deps.siteDir, pages)
  await serveOwnPages(app, config)
  await serveDownloads(app, deps.downloadsDir)
  mountRoutes(app, deps, routes)
  return app
}

/** What a process without a service answers: probes and monitoring. */
export async function buildWorkerApp<D extends AppDeps>(
  deps: D,
  routes: readonly Route<D>[],
): Promise<FastifyInstance> {
  const app = fastify(serverOptions(deps, routes))
  openScopes(app)
  answerErrors(app, deps)
  measureRequests(app, deps.metrics)
  logRequests(app, deps.log)
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, refusalOf('unknownRoute')))
  mountRoutes(app, deps, routes)
  return app
}

function serverOptions({ config, log }: AppDeps, routes: readonly KnownRoute[]): FastifyHttpOptions<Server> {
  const { trustProxy } = config
  return {
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    // The service refuses it: Node would answer with an empty body.
    http: { requireHostHeader: false, connectionsCheckingInterval: 5_000 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // For the request to arrive, not for its answer.
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 512 },
    genReqId: ({ headers }) => givenRequestId(headers['x-request-id'], config) ?? newId('request'),
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendRefusal(request, reply, refusalOf(refusalForBadUrl(request.raw.url ?? '', routes)))
    },
    clientErrorHandler: answerBrokenConnection,
  }
}

/** A proxy that is trusted may name the request, so that its log and the service's meet. */
const givenRequestId = (given: string | string[] | undefined, { trustProxy }: Config): string | undefined =>
  trustProxy && typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined

/** Each line that is written while a request is answered names it, and the scan that it makes. */
function nameRequests(app: FastifyInstance): WeakMap<FastifyRequest, LogContext> {
  const contexts = new WeakMap<FastifyRequest, LogContext>()
  app.addHook('onRequest', (request, _reply, done) => {
    const context = { requestId: request.id }
    contexts.set(request, context)
    resumeLogContext(context, done)
  })
  // What follows a body runs where the socket was read, outside of what the first hook began.
  app.addHook('preHandler', (request, _reply, done) => resumeLogContext(contexts.get(request) ?? {}, done))
  return contexts
}

/** Patterns, not addresses: a userId or a checkout's id in one is a credential. */
function logRequests(app: FastifyInstance, log: Log): void {
  const contexts = nameRequests(app)
  whenRequestEnds(app, (request, _reply, { status, ms }) => {
    const isQuiet = request.routeOptions.config?.route?.tag === 'Service' || !request.url.startsWith('/api')
    log[isQuiet ? 'debug' : 'info'](
      {
        requestId: request.id,
        ...contexts.get(request),
        method: request.method,
        route: request.routeOptions.url ?? request.url.split('?', 1)[0],
        status,
        ms: Math.round(ms * 10) / 10,
        ...(request.refusal && { refusal: request.refusal }),
        ...callerFields(request.caller),
      },
      'request',
    )
  })
}

/** Whose request it was: the account by its reference (its id is a credential), and the key that was used. */
const callerFields = (caller: Caller | undefined): object =>
  caller === undefined
    ? {}
    : { account: accountReference(caller.accountId), ...(caller.via === 'key' && { keyId: caller.keyId }) }

const isHostMissing = ({ raw }: FastifyRequest): boolean => raw.httpVersion === '1.1' && raw.headers.host === undefined

/** Node answers some requests by itself, without a body or not at all; here they get the one error shape. */
function answerInsteadOfNode({ server }: FastifyInstance): void {
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => endWithRefusal(socket, 'badRequest'))
}

/** What is not even HTTP still gets the one error shape. */
function answerBrokenConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const name =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headersTooLarge'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'requestTimeout'
        : 'badRequest'
  endWithRefusal(socket, name)
}

function endWithRefusal(
  socket: Duplex,
  name: Extract<RefusalName, 'badRequest' | 'headersTooLarge' | 'requestTimeout'>,
): void {
  const { status, message } = refusalOf(name)
  const body = JSON.stringify({ error: message })
  // A client that is gone already has no answer to read.
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} Error\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${newId('request')}\r\nConnection: close\r\n\r\n${body}`,
  )
}
