import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AssayError, createClient, ScanWithoutResult } from './index.ts'

type Answer = (response: ServerResponse) => void
let server: Server
let answers: Answer[]
let seen: { line: string; prefer: unknown; lastEventId: unknown }[]
let pauses: number[]

beforeEach(async () => {
  answers = []
  seen = []
  pauses = []
  server = createServer(async (request, response) => {
    for await (const _chunk of request);
    const { headers } = request
    seen.push({
      line: `${request.method} ${request.url}`,
      prefer: headers.prefer,
      lastEventId: headers['last-event-id'],
    })
    ;(answers.shift() ?? json(500, { error: 'no answer was prepared' }))(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const scan = (status: string, more: object = {}): Answer =>
  json(200, { success: true, data: { scanId: 'scn_1', status, reason: null, ...more } })
const event = (id: string, status: string): string =>
  `: waiting\n\nid: ${id}\nevent: ${status}\ndata: {"scanId":"scn_1","status":"${status}"}\n\n`
const stream =
  (...events: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.join(''))
  }
const breakOff =
  (...events: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(events.join(''), () => response.destroy())
  }

const client = () =>
  createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'assay_test_key',
    pause: async (milliseconds) => void pauses.push(milliseconds),
    random: () => 0.5,
  })

test('queues a scan and waits for its result, hearing of its progress', async () => {
  answers = [
    json(202, { success: true, scanId: 'scn_1', status: 'queued' }),
    stream(event('1', 'queued'), event('2', 'running'), event('3', 'completed')),
    scan('completed', { message: 'done' }),
  ]
  const { scanId } = await client().scans.queue({ file: { name: 'A.sol', content: 'contract A {}' } })
  const statuses: string[] = []
  const result = await client().scans.wait(scanId, { onProgress: ({ status }) => statuses.push(status) })
  expect(result.message).toBe('done')
  expect(statuses).toEqual(['queued', 'running', 'completed'])
  expect(seen.map(({ line }) => line)).toEqual([
    'POST /api/v1/scan',
    'GET /api/v1/scans/scn_1/events',
    'GET /api/v1/scans/scn_1',
  ])
  expect(seen[0]?.prefer).toBe('respond-async')
})

test('a stream that breaks off is taken up where it was, and none at all is replaced by asking', async () => {
  answers = [
    breakOff(event('1', 'queued')),
    scan('queued'),
    json(429, { error: 'An account can follow at most 20 scans at a time.' }, { 'retry-after': '3600' }),
    scan('running'),
    stream(event('3', 'completed')),
    scan('completed'),
  ]
  expect((await client().scans.wait('scn_1')).status).toBe('completed')
  expect(seen.map(({ lastEventId }) => lastEventId)).toEqual([undefined, undefined, '1', undefined, '1', undefined])
  expect(pauses).toEqual([2000, 2000])
})

test('a scan without a result throws its reason', async () => {
  answers = [stream(event('1', 'failed')), scan('failed', { reason: 'The scan was stopped: it took too long.' })]
  await expect(client().scans.wait('scn_1')).rejects.toThrow('The scan was stopped: it took too long.')
  answers = [stream(event('1', 'cancelled')), scan('cancelled')]
  await expect(client().scans.wait('scn_1')).rejects.toBeInstanceOf(ScanWithoutResult)
})

test('a scan that is not there, and one nobody waits for any more', async () => {
  answers = [json(404, { error: 'Scan not found.' })]
  await expect(client().scans.wait('scn_1')).rejects.toEqual(expect.objectContaining({ status: 404 }))
  await expect(client().scans.wait('scn_1', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
    'enough',
  )
  expect(new AssayError('x', {}, { operation: 'GET /', attempts: 1 }).status).toBe(0)
})
