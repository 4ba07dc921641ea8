import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notBuilt as texts } from '../messages/pages.ts'

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

/** Serves the built dashboard: hashed assets for ever, the page itself always fresh. */
export async function serveSite(app: FastifyInstance, siteDir: string): Promise<void> {
  if (!existsSync(join(siteDir, 'index.html'))) {
    app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(notBuilt))
    return
  }
  await app.register(fastifyStatic, {
    root: siteDir,
    wildcard: false,
    index: ['index.html'],
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
export function sendSitePage(reply: FastifyReply, siteDir: string): FastifyReply | undefined {
  if (!existsSync(join(siteDir, 'index.html'))) return undefined
  // What a secret link opens is for its reader alone.
  if (/^\/shared(\?|$)/.test(reply.request.url)) reply.header('x-robots-tag', 'noindex, nofollow, noarchive')
  // The one for the first page shows it before the application has loaded.
  const page = existsSync(join(siteDir, 'shell.html')) ? 'shell.html' : 'index.html'
  return reply.header('cache-control', 'no-cache').sendFile(page, siteDir)
}
