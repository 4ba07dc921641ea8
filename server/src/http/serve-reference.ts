import type { FastifyInstance } from 'fastify'
import type { Config } from '../core/config.ts'
import { type Route, tags } from './define-route.ts'
import { describeApi } from './openapi.ts'

type DocumentedRoute = Omit<Route, 'handle'>

/**
 * `/openapi.json`, from the route table. The dashboard makes the reference at `/docs` of it, a page of each tag: `?section=api-keys` answers with
 * the operations of one tag and what they refer to, `?section=` with none.
 */
export function serveReference(
  app: FastifyInstance,
  routes: readonly DocumentedRoute[],
  config: Pick<Config, 'publicUrl'>,
): void {
  // Made when it is first wanted: it is a third of the work of starting.
  const texts = new Map<string, string>()
  const textOf = (section: string | undefined): string => {
    const known = texts.get(section ?? whole)
    if (known !== undefined) return known
    const shown = section === undefined ? routes : routes.filter(({ tag }) => sectionOf(tag) === section)
    const text = JSON.stringify(describeApi(shown, { serverUrl: config.publicUrl }))
    texts.set(section ?? whole, text)
    return text
  }
  app.get<{ Querystring: { section?: unknown } }>('/openapi.json', ({ query }, reply) => {
    const section = query.section === undefined ? undefined : (sections.find((one) => one === query.section) ?? '')
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, no-cache')
      .send(textOf(section))
  })
}

const whole = '*'

/** As the dashboard writes a tag in an address. */
const sectionOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z]+/g, '-')
const sections = Object.keys(tags).map(sectionOf)
