import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../core/config.ts'
import { endConnectionsInTime } from './end-connections.ts'

// The deadlines are advanced by hand; sockets and the loop are real.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

/** How many of the deadlines set by `start` have not been cleared; whatever else runs in this process may have timers of its own. */
function watchDeadlines(start: () => void): () => number {
  const set = vi.spyOn(globalThis, 'setTimeout')
  const clear = vi.spyOn(globalThis, 'clearTimeout')
  start()
  const deadlines = set.mock.results.map(({ value }) => value as NodeJS.Timeout)
  set.mockRestore()
  expect(deadlines).toHaveLength(2)
  return () => deadlines.filter((timer) => !clear.mock.calls.some(([cleared]) => cleared === timer)).length
}
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const withinMs = readConfig({}).stopWithinMs
const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

/** A server that never answers, and how to end it. */
async function serve() {
  const server = createServer(() => {}).on('clientError', (_error, socket) => socket.destroy())
  const startEnding = endConnectionsInTime(server, { withinMs })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** A client that sends this and then nothing for ever. */
  const hang = async (text: string): Promise<{ isClosed(): boolean; closed: Promise<unknown> }> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = connect(port, '127.0.0.1').on('error', () => {})
    clients.push(client)
    client.write(text)
    const [socket] = await accepted
    const closed = once(socket, 'close')
    return { isClosed: () => socket.destroyed, closed }
  }
  return { server, startEnding, hang }
}

const requested = (server: Server) => once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
const slowUpload = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n-'

test('what is still arriving is cut a quarter into the stop, what is still unanswered well before its end', async () => {
  const { server, startEnding, hang } = await serve()
  const line = await hang('GET /heal')
  const arriving = requested(server)
  const upload = await hang(slowUpload)
  await arriving
  const arrivedRequest = requested(server)
  const connection = await hang('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [request] = await arrivedRequest
  await once(request.resume(), 'end')
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  const deadlinesLeft = watchDeadlines(startEnding)

  vi.advanceTimersByTime(4_999)
  expect([line.isClosed(), upload.isClosed(), connection.isClosed()]).toEqual([false, false, false])
  vi.advanceTimersByTime(1)
  await Promise.all([line.closed, upload.closed])
  expect(connection.isClosed()).toBe(false)
  vi.advanceTimersByTime(8_999)
  expect(connection.isClosed()).toBe(false)
  vi.advanceTimersByTime(1)
  await connection.closed
  // Nobody has let go of anything, and it ends all the same.
  await ended
  expect(deadlinesLeft()).toBe(0)
})

test('an answer that is given in time leaves its connection alone, and no deadline is left behind', async () => {
  const { server, startEnding, hang } = await serve()
  const arrivedRequest = requested(server)
  const connection = await hang('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [, response] = await arrivedRequest
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  const deadlinesLeft = watchDeadlines(startEnding)
  response.end('done')
  await connection.closed
  await ended
  expect(deadlinesLeft()).toBe(0)
})
