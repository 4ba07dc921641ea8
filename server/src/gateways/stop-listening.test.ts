import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { acceptFaster } from './accept-faster.ts'
import { stopListening } from './stop-listening.ts'

const CLIENTS = new URL('../testing/request-until-refused.mjs', import.meta.url)

/** The status, or the code of the failure. */
const sendRequest = (port: number, agent?: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path: '/', method: 'POST', agent: agent ?? false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end('x')
  })

test('connections that the system has accepted already are taken in first: each is served', async () => {
  const app = fastify()
  const accepted = acceptFaster(app, 4)
  app.post('/', async () => 'done')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const answers = Array.from({ length: 50 }, () => sendRequest(port))
  await stopListening(app, accepted)
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
  expect(await sendRequest(port)).toBe('ECONNREFUSED')
  await app.close()
})

test('a connection that is kept alive is served after that, and one that sends its request late', async () => {
  const app = fastify()
  const accepted = acceptFaster(app, 4)
  app.post('/', async () => 'done')
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await sendRequest(port, agent)).toBe(200)
  const late = connect(port, '127.0.0.1')
  await new Promise((resolve) => late.once('connect', resolve))
  await stopListening(app, accepted)
  expect(await sendRequest(port, agent)).toBe(200)
  expect(await sendRequest(port)).toBe('ECONNREFUSED')
  late.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  const [first] = await new Promise<Buffer[]>((resolve) => late.once('data', (data: Buffer) => resolve([data])))
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /)
  agent.destroy()
  await app.close()
})

test('none is lost that comes while the service is busy and stops', { timeout: 120_000 }, async () => {
  const codes = new Set<number | string>()
  for (let round = 0; round < 3; round++) {
    const app = fastify()
    const accepted = acceptFaster(app, 4)
    app.post('/', async () => {
      // A turn of the event loop takes a while, as under load.
      for (const end = performance.now() + 3; performance.now() < end; );
      return 'done'
    })
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
    const clients = fork(CLIENTS, [String(port)], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    await once(clients, 'message')
    await stopListening(app, accepted)
    const [seen] = (await once(clients, 'message')) as [(number | string)[]]
    for (const code of seen) codes.add(code)
    await app.close()
    await accepted.ended()
  }
  expect([...codes].sort()).toEqual([200, 'ECONNREFUSED'])
})
