import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { describe, expect, test } from 'vitest'
import { chooseEncoding } from './choose-encoding.ts'
import { compressAnswers } from './compress-answers.ts'

const long = { words: 'and so on '.repeat(1000) }
const catalogue = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`entry ${n}`, `${n * n} of ${n % 7}`]))

function serve() {
  const app = fastify()
  compressAnswers(app)
  app.get('/long', async () => long)
  app.post('/long', async () => long)
  app.get('/catalogue', (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(catalogue))
  app.get('/own', async () => catalogue)
  for (const [url, content] of [
    ['/tagged', catalogue],
    ['/tagged-alike', long],
  ] as const)
    app.get(url, (_request, reply) => reply.headers({ 'cache-control': 'public', etag: '"1"' }).send(content))
  app.get('/short', async () => ({ token: 'a secret' }))
  app.get('/stream', (_request, reply) => reply.type('application/json').send(Readable.from([JSON.stringify(long)])))
  app.get('/broken', (_request, reply) =>
    reply.type('application/json').send(
      Readable.from(
        (function* () {
          yield 'half '.repeat(100_000)
          throw new Error('the source broke')
        })(),
      ),
    ),
  )
  app.get('/events', (_request, reply) => reply.type('text/event-stream').send('data: x\n\n'.repeat(1000)))
  app.get('/bytes', (_request, reply) => reply.type('application/zip').send(Buffer.alloc(5000)))
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  return { app, get }
}

describe('compression', () => {
  test('200: brotli where it is taken, gzip where only that is, nothing where neither is', async () => {
    const { get } = serve()
    const brotli = await get('/long', { 'accept-encoding': 'gzip, deflate, br' })
    expect([brotli.headers['content-encoding'], brotli.headers.vary]).toEqual(['br', 'accept-encoding'])
    expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(long)
    expect(brotli.rawPayload.length).toBeLessThan(500)
    const zipped = await get('/long', { 'accept-encoding': 'gzip' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(long)
    const plain = await get('/long')
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
    expect(plain.json()).toEqual(long)
  })

  test('200: what is the same for everyone is compressed harder, once', async () => {
    const { get } = serve()
    const br = { 'accept-encoding': 'br' }
    const [own, first, second] = [await get('/own', br), await get('/catalogue', br), await get('/catalogue', br)]
    expect(first.rawPayload.length).toBeLessThan(0.95 * own.rawPayload.length)
    expect(second.rawPayload).toEqual(first.rawPayload)
    for (const answer of [own, first])
      expect(JSON.parse(brotliDecompressSync(answer.rawPayload).toString())).toEqual(catalogue)
    const zipped = await get('/catalogue', { 'accept-encoding': 'gzip' })
    expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(catalogue)
  })

  test('200: two public answers with the same tag of their own are not taken for each other', async () => {
    const { get } = serve()
    for (const [url, content] of [
      ['/tagged', catalogue],
      ['/tagged-alike', long],
    ] as const) {
      const answer = await get(url, { 'accept-encoding': 'br' })
      expect(JSON.parse(brotliDecompressSync(answer.rawPayload).toString())).toEqual(content)
    }
  })

  test('200: a stream is compressed as it goes', async () => {
    const answer = await serve().get('/stream', { 'accept-encoding': 'br' })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(answer.rawPayload).toString())).toEqual(long)
  })

  test('a stream that breaks off never ends as if it were whole', async () => {
    const { app } = serve()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const read = async () => (await fetch(`${address}/broken`)).text()
    await expect(read()).rejects.toThrow()
    await app.close()
  })

  test.each(['/short', '/events', '/bytes'])('200: %s is sent as it is', async (url) => {
    expect((await serve().get(url, { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBeUndefined()
  })

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['*', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *;q=0', undefined],
    ['identity, gzip;q=0.2', undefined],
    ['BR;Q=0.8', 'br'],
    [';;;,q=', undefined],
  ])('%j gives %j', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding)
  })
})

describe('ETag', () => {
  test('304: what the client holds is not sent again, however it was compressed', async () => {
    const { get } = serve()
    const { etag } = (await get('/long', { 'accept-encoding': 'br' })).headers
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    for (const held of [String(etag), `"other", ${etag}`, String(etag).slice(2), '*']) {
      const again = await get('/long', { 'if-none-match': held, 'accept-encoding': 'gzip' })
      expect([again.statusCode, again.rawPayload.length, again.headers.etag], held).toEqual([304, 0, etag])
    }
  })

  test('200: another content, another tag', async () => {
    const { get } = serve()
    const { etag } = (await get('/short')).headers
    expect((await get('/long', { 'if-none-match': String(etag) })).statusCode).toBe(200)
  })

  test('200: a change is never taken for a repetition', async () => {
    const answer = await serve().app.inject({ method: 'POST', url: '/long', headers: { 'if-none-match': '*' } })
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, undefined])
  })
})
