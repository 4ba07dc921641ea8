import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** What a reader of a page can install from here: the command, the extension for editors, and their digests. */
export async function serveDownloads(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(folder)) return
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/downloads/',
    decorateReply: false,
    wildcard: false,
    index: false,
    cacheControl: false,
    globIgnore: ['**/.*'],
    setHeaders: (response) => response.header('cache-control', 'no-cache'),
  })
}
