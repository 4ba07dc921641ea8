import type { FastifyInstance } from 'fastify'
import { marked } from 'marked'
import type { Config } from '../core/config.ts'
import { renderPlainPage } from './plain-page.ts'
import { ownPagesOf } from './site-facts.ts'

/** Terms, privacy and contact, as far as the operator configured them; a page that is not is an unknown address. */
export async function serveOwnPages(app: FastifyInstance, config: Config): Promise<void> {
  for (const { path, label, page } of ownPagesOf(config)) {
    if ('url' in page) app.get(path, (_request, reply) => reply.redirect(page.url))
    else {
      const html = renderPlainPage(label, await marked.parse(withoutTitle(page.markdown)), 'wide')
      app.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(html))
    }
  }
}

/** The frame has a title of its own. */
const withoutTitle = (markdown: string): string => markdown.replace(/^\uFEFF?\s*# .*\n?/, '')
