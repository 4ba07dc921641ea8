import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Route } from './define-route.ts'
import { describeApi } from './openapi.ts'

type DocumentedRoute = Omit<Route, 'handle'>

/** `/openapi.json` and the reference at `/docs`, both from the route table. */
export async function serveReference(
  app: FastifyInstance,
  routes: readonly DocumentedRoute[],
  config: Pick<Config, 'publicUrl'>,
): Promise<void> {
  const document = describeApi(routes, { serverUrl: config.publicUrl })
  const text = JSON.stringify(document)
  app.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text),
  )
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, validatorUrl: null as never, tryItOutEnabled: true },
    theme: { title: 'Assay API reference' },
  })
}
