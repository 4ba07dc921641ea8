import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notBuilt as texts } from '../messages/pages.ts'
import { chooseEncoding } from './choose-encoding.ts'
import { tagOf } from './compress-answers.ts'
import { fillSitePage, type SiteFacts } from './site-facts.ts'

const YEAR_SECONDS = 31_536_000

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assay</title>
<h1>${texts.title}</h1>
<p>${texts.build('<code>npm run build</code>')}
<p>${texts.api('<a href="/openapi.json">openapi.json</a>')}
</html>
`

interface SitePage {
  readonly html: string
  readonly brotli: Buffer
  readonly tag: string
}

/** What the built dashboard is entered by: the first page, and the shell of every other address. */
export interface SitePages {
  readonly first: SitePage
  readonly shell: SitePage
}

/** Both pages with what the operator configured, compressed once; undefined: the dashboard is not built. */
export async function readSitePages(siteDir: string, facts: SiteFacts): Promise<SitePages | undefined> {
  if (!existsSync(join(siteDir, 'index.html'))) return undefined
  const read = async (name: string): Promise<SitePage> => {
    const html = fillSitePage(readFileSync(join(siteDir, name), 'utf8'), facts)
    return { html, brotli: await promisify(brotliCompress)(html), tag: tagOf(html) }
  }
  const first = await read('index.html')
  return { first, shell: existsSync(join(siteDir, 'shell.html')) ? await read('shell.html') : first }
}

/** Serves the built dashboard: hashed assets for ever, the page itself always fresh. */
export async function serveSite(app: FastifyInstance, siteDir: string, pages: SitePages | undefined): Promise<void> {
  if (!pages) {
    app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(notBuilt))
    return
  }
  app.get('/', (_request, reply) => sendPage(reply, pages.first))
  await app.register(fastifyStatic, {
    root: siteDir,
    wildcard: false,
    globIgnore: ['*.html', '*.html.br'],
    index: false,
    cacheControl: false,
    // As the build left them; what is not there is compressed on its way.
    preCompressed: true,
    setHeaders(response, path) {
      const isHashed = path.startsWith(join(siteDir, 'assets'))
      response.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
}

/** The dashboard finds its own way from any address, so a page that a browser opens directly gets it too. */
export function sendSitePage(reply: FastifyReply, { shell }: SitePages): FastifyReply {
  // What a secret link opens is for its reader alone.
  if (/^\/shared(\?|$)/.test(reply.request.url)) reply.header('x-robots-tag', 'noindex, nofollow, noarchive')
  return sendPage(reply, shell)
}

function sendPage(reply: FastifyReply, { html, brotli, tag }: SitePage): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag: tag }).type('text/html; charset=utf-8')
  if (chooseEncoding(reply.request.headers['accept-encoding']) !== 'br') return reply.send(html)
  return reply.headers({ 'content-encoding': 'br', vary: 'accept-encoding' }).send(brotli)
}
