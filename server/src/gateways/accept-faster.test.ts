import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { acceptFaster } from './accept-faster.ts'

let app: FastifyInstance

afterEach(() => app.close())

/** How many connections the server took in at most between two turns of the event loop, of so many that came at once. */
async function mostAtOnce(count: number): Promise<number> {
  const { port } = app.server.address() as AddressInfo
  let taken = 0
  let most = 0
  const noteOne = (): void => {
    taken += 1
  }
  app.server.on('connection', noteOne)
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  for (let before = 0; before < count; before = taken) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, taken - before)
  }
  app.server.off('connection', noteOne)
  for (const socket of sockets) socket.destroy()
  return most
}

it('takes in several connections at each turn of the event loop', async () => {
  app = fastify()
  acceptFaster(app, 8)
  await app.listen({ host: '127.0.0.1', port: 0 })

  await expect.poll(() => mostAtOnce(40)).toBeGreaterThan(4)
})

it('answers requests on whichever handle they come', async () => {
  app = fastify()
  acceptFaster(app, 4)
  app.get('/', async () => 'here')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })

  const sendRequest = async (): Promise<string> => (await fetch(address, { headers: { connection: 'close' } })).text()

  expect(await Promise.all(Array.from({ length: 20 }, sendRequest))).toEqual(Array(20).fill('here'))
})

it('refuses connections once it is closed', async () => {
  app = fastify()
  const accepted = acceptFaster(app, 4)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  await expect.poll(() => mostAtOnce(40)).toBeGreaterThan(2)
  await app.close()
  await accepted.ended()

  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException]

  expect(error.code).toBe('ECONNREFUSED')
})
