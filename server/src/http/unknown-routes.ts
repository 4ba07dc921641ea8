import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type RefusalName, refusalOf } from '../core/errors.ts'
import { sendRefusal } from './answer-errors.ts'
import type { Route } from './define-route.ts'
import { type SitePages, sendSitePage } from './serve-site.ts'

export type KnownRoute = Pick<Route, 'method' | 'url' | 'refusals'>

/** Answers what no route matches: a wrong method with 405, a browser's deep link with the dashboard, the rest with 404. */
export function answerUnknownRoutes(
  app: FastifyInstance,
  routes: readonly KnownRoute[],
  pages: SitePages | undefined,
): void {
  const patterns = routes.map((route) => ({ ...route, pattern: patternOf(route.url) }))
  app.addHook('onRequest', async (request) => {
    if (request.is404 && !isPageRequest(request)) throw refusalFor(request, patterns)
  })
  app.setNotFoundHandler((request, reply) => {
    if (pages && isPageRequest(request)) return sendSitePage(reply, pages)
    return sendRefusal(request, reply, refusalOf('unknownRoute'))
  })
}

function refusalFor(request: FastifyRequest, patterns: readonly (KnownRoute & { pattern: RegExp })[]) {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return methods.length > 0 ? refusalOf('methodNotAllowed', methods.join(', ')) : refusalOf('unknownRoute')
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)

const isPageRequest = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !/^\/(api|dev|sandbox)(\/|$)/.test(request.url) &&
  (request.headers.accept ?? '').includes('text/html')

/** For an address that cannot even be decoded: the answer of the route it was meant for, if that takes an id. */
export function refusalForBadUrl(url: string, routes: readonly KnownRoute[]): 'unknownRoute' | NotFoundName {
  const meant = routes.find((route) => {
    const prefix = route.url.split('/:', 1)[0] ?? ''
    return route.url.includes('/:') && url.startsWith(`${prefix}/`)
  })
  return meant ? refusalForBadId(meant) : 'unknownRoute'
}

/** What a route answers for an id that is none of the caller's. */
export const refusalForBadId = (route: Pick<Route, 'refusals'>): 'unknownRoute' | NotFoundName =>
  route.refusals.find(isNotFound) ?? 'unknownRoute'

type NotFoundName = Extract<RefusalName, `${string}NotFound`>
const isNotFound = (name: RefusalName): name is NotFoundName => name.endsWith('NotFound')
