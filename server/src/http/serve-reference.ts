import type { FastifyInstance } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Route } from './define-route.ts'
import { describeApi } from './openapi.ts'

type DocumentedRoute = Omit<Route, 'handle'>

/** `/openapi.json`, from the route table; the dashboard makes the reference at `/docs` of it. */
export function serveReference(
  app: FastifyInstance,
  routes: readonly DocumentedRoute[],
  config: Pick<Config, 'publicUrl'>,
): void {
  // Made when it is first wanted: it is a third of the work of starting.
  let text: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    text ??= JSON.stringify(describeApi(routes, { serverUrl: config.publicUrl }))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text)
  })
}
