import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { serveDownloads } from './serve-downloads.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-downloads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'assay-cli.tgz'), 'package')
writeFileSync(join(folder, '.stamp.json'), '{}')

test('what was built for download is sent, and nothing beside it', async () => {
  const app = Fastify()
  await serveDownloads(app, folder)
  const download = (path: string) => app.inject({ url: path })
  const sent = await download('/downloads/assay-cli.tgz')
  expect([sent.statusCode, sent.body, sent.headers['cache-control']]).toEqual([200, 'package', 'no-cache'])
  for (const path of ['/downloads/.stamp.json', '/downloads/', '/downloads/../package.json', '/downloads/other.tgz'])
    expect((await download(path)).statusCode, path).toBe(404)
  await app.close()
})

test('a service that was built without downloads starts all the same', async () => {
  const app = Fastify()
  await serveDownloads(app, join(folder, 'none'))
  expect((await app.inject({ url: '/downloads/assay-cli.tgz' })).statusCode).toBe(404)
  await app.close()
})
