import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { stopListening } from './stop-listening.ts'

/** The status, or the code of the failure. */
const ask = (port: number, agent?: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path: '/', method: 'POST', agent: agent ?? false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end('x')
  })

test('connections that the system has accepted already are taken in first: each is served', async () => {
  const app = fastify()
  app.post('/', async () => 'done')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const answers = Array.from({ length: 50 }, () => ask(port))
  await stopListening(app, () => {})
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
  expect(await ask(port)).toBe('ECONNREFUSED')
  await app.close()
})

test('a connection that is kept alive is served after that, and one that sends its request late', async () => {
  const app = fastify()
  app.post('/', async () => 'done')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await ask(port, agent)).toBe(200)
  const late = connect(port, '127.0.0.1')
  await new Promise((resolve) => late.once('connect', resolve))
  await stopListening(app, () => {})
  expect(await ask(port, agent)).toBe(200)
  expect(await ask(port)).toBe('ECONNREFUSED')
  late.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  const [first] = await new Promise<Buffer[]>((resolve) => late.once('data', (data: Buffer) => resolve([data])))
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /)
  agent.destroy()
  await app.close()
})
