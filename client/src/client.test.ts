import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AssayError } from './assay-error.ts'
import { type ClientOptions, createClient } from './client.ts'
import { defaultRetries, waitBefore } from './retries.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answer = (response: ServerResponse) => void

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(body))
  }

const hangUp: Answer = (response) => void response.socket?.destroy()

describe('the client', () => {
  let server: Server
  let answers: Answer[]
  let seen: Seen[]
  let pauses: number[]

  beforeEach(async () => {
    answers = []
    seen = []
    pauses = []
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      ;(answers.shift() ?? json(500, { error: 'no answer was prepared' }))(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      apiKey: 'assay_test_key',
      pause: async (milliseconds) => void pauses.push(milliseconds),
      random: () => 0.5,
      ...options,
    })

  const source = () => {
    const form = new FormData()
    form.set('file', new Blob(['contract A {}']), 'A.sol')
    return form
  }

  test('sends path, query, key and body as the operation says, and gives the answer', async () => {
    answers = [json(200, { success: true, data: { scans: [], nextCursor: null } }), json(200, { success: true })]
    const { data } = await client().getScans({ query: { limit: 5, kind: 'ai' } })
    expect(data.scans).toEqual([])
    await client().deleteScansByScanId({ params: { scanId: 'scn_/1' } })
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v1/scans?limit=5&kind=ai',
      'DELETE /api/v1/scans/scn_%2F1',
    ])
    expect(seen[0]?.headers['x-api-key']).toBe('assay_test_key')
  })

  test('a token goes as a Bearer token, a JSON body as JSON', async () => {
    answers = [json(201, { message: 'ok', apiKey: {} })]
    await client({ token: 'tok' }).postGenerateApiKey({ body: { userId: 'usr_1', type: 'TEST', name: 'ci' } })
    expect(seen[0]?.headers.authorization).toBe('Bearer tok')
    expect(seen[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ userId: 'usr_1', type: 'TEST', name: 'ci' })
  })

  test('429 and 503 are sent again after Retry-After and backoff, with the same Idempotency-Key', async () => {
    answers = [
      json(429, { error: 'API rate limit exceeded' }, { 'retry-after': '2' }),
      json(503, { error: 'Too many scans are waiting. Try again shortly.' }),
      json(200, { success: true, scanId: 'scn_1' }),
    ]
    const result = await client().postScan({ body: source() })
    expect(result.scanId).toBe('scn_1')
    expect(pauses).toEqual([2250, 500])
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
    expect(seen.every(({ body }) => body.includes('contract A {}'))).toBe(true)
  })

  test('a broken connection is tried again only where that does no more than once', async () => {
    answers = [hangUp, json(200, { success: true, scanId: 'scn_2' })]
    expect((await client().postScan({ body: source() })).scanId).toBe('scn_2')
    answers = [hangUp, json(200, { message: 'registered' })]
    const registered = client().postRegister({ body: { email: 'a@example.com', password: 'x', name: 'A' } })
    await expect(registered).rejects.toMatchObject({ status: 0, attempts: 1 })
  })

  test('any other refusal is told at once, in the words of the service', async () => {
    answers = [json(403, { error: 'Invalid or expired API key' }, { 'x-request-id': 'req_9' })]
    const error = await client()
      .postScan({ body: source() })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AssayError)
    expect(error).toMatchObject({ message: 'Invalid or expired API key', status: 403, requestId: 'req_9', attempts: 1 })
  })

  test('a limit that lasts longer than one is willing to wait is told at once', async () => {
    answers = [json(429, { error: 'Daily scan limit exceeded.' }, { 'retry-after': '40000' })]
    await expect(client().postScan({ body: source() })).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 40_000,
      attempts: 1,
    })
    expect(pauses).toEqual([])
  })

  test('it gives up after the agreed number of attempts', async () => {
    answers = Array.from({ length: 9 }, () => json(503, { error: 'The service is restarting. Try again shortly.' }))
    await expect(client({ retries: { attempts: 3 } }).getDetectors()).rejects.toMatchObject({
      status: 503,
      attempts: 3,
    })
    expect(seen).toHaveLength(3)
  })

  test('reports in other formats come as text, and send gives status and headers', async () => {
    const markdown: Answer = (response) => response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Report')
    answers = [markdown, json(200, {}, { ratelimit: '"hourly";r=1;t=2' })]
    const report = await client().getScansByScanIdReport({ params: { scanId: 's' }, query: { format: 'markdown' } })
    expect(report).toBe('# Report')
    const answer = await client().send('GET /api/v1/scans', {})
    expect(answer.headers.get('ratelimit')).toBe('"hourly";r=1;t=2')
  })

  test('a caller that lets go is not kept waiting', async () => {
    answers = [json(503, { error: 'busy' }, { 'retry-after': '30' })]
    const stop = new AbortController()
    const call = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }).getDetectors({
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(call).rejects.toThrow('enough')
  })
})

describe('waiting', () => {
  const failed = { sent: 1, status: 503, retryAfterSeconds: null, isRepeatable: true, random: 1 }

  test('the pause doubles up to its bound, and jitter spreads it down to nothing', () => {
    const pauses = [1, 2, 3].map((sent) => waitBefore(defaultRetries, { ...failed, sent }))
    expect(pauses).toEqual([500, 1000, 2000])
    expect(waitBefore(defaultRetries, { ...failed, random: 0 })).toBe(0)
    expect(waitBefore({ ...defaultRetries, attempts: 99 }, { ...failed, sent: 30 })).toBe(60_000)
  })

  test.each([400, 401, 403, 404, 409, 413, 422, 500, 502])('%i is final', (status) => {
    expect(waitBefore(defaultRetries, { ...failed, status })).toBeUndefined()
  })
})
