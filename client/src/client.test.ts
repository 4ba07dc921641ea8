import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AssayConnectionError, AssayError, AssayTimeoutError } from './assay-error.ts'
import { createClient } from './client.ts'
import { defaultRetries, readRetryAfter, waitBefore } from './retries.ts'
import type { ClientOptions } from './transport.ts'
import { version } from './version.ts'

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
const silent: Answer = () => {}

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
      ;(answers.shift() ?? json(404, { error: 'no answer was prepared' }))(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      apiKey: 'assay_test_key',
      pause: async (milliseconds) => void pauses.push(milliseconds),
      random: () => 0.5,
      ...options,
    })

  const file = { name: 'A.sol', content: 'contract A {}' }

  test('sends path, query, key and body as the operation says, and gives what the answer holds', async () => {
    answers = [
      json(200, { success: true, data: { findings: [], nextCursor: null } }),
      json(200, { success: true, data: { id: 'whk_1' } }),
      json(200, { success: true }),
    ]
    expect((await client().findings.list({ limit: 5, severity: 'high' })).items).toEqual([])
    expect(await client().webhooks.update('whk_1', { description: 'ci' })).toEqual({ id: 'whk_1' })
    await client().scans.delete('scn_/1')
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v1/findings?limit=5&severity=high',
      'PATCH /api/v1/webhooks/whk_1',
      'DELETE /api/v1/scans/scn_%2F1',
    ])
    expect(seen[1]?.body).toBe('{"description":"ci"}')
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'assay_test_key', 'user-agent': `assay-client/${version}` })
  })

  test('files and fields become a form, options of the scan a query', async () => {
    answers = [json(200, { success: true, scanId: 'scn_1' })]
    const files = [file, { name: 'src/B.sol', content: new TextEncoder().encode('contract B {}') }]
    await client().scans.create({ file: files, project: 'vault', scope: 'all' })
    expect(seen[0]?.url).toBe('/api/v1/scan?scope=all')
    for (const part of ['filename="A.sol"', 'filename="src/B.sol"', 'contract B {}', 'name="project"'])
      expect(seen[0]?.body).toContain(part)
  })

  test('a token goes as a Bearer token, a JSON body as JSON', async () => {
    answers = [json(201, { message: 'ok', apiKey: {} })]
    await client({ token: 'tok', organisation: 'org_1' }).keys.create({ userId: 'usr_1', type: 'TEST', name: 'ci' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer tok',
      'x-organisation': 'org_1',
      'content-type': 'application/json',
    })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ userId: 'usr_1', type: 'TEST', name: 'ci' })
  })

  test('a list is walked page by page, only as far as it is read', async () => {
    const page = (ids: number[], nextCursor: string | null) =>
      json(200, { success: true, data: { findings: ids.map((id) => ({ id })), nextCursor, total: 5 } })
    answers = [page([1, 2], 'c1'), page([3, 4], 'c2'), page([5], null)]
    const ids: unknown[] = []
    for await (const { id } of client().findings.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual([1, 2, 3, 4, 5])
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/findings?limit=2',
      '/api/v1/findings?limit=2&cursor=c1',
      '/api/v1/findings?limit=2&cursor=c2',
    ])
    answers = [page([1, 2], 'c1'), page([3], null)]
    const first = await client().findings.list()
    expect([first.total, first.nextCursor, (await first.next())?.items.length]).toEqual([5, 'c1', 1])
    answers = [page([1, 2], 'c1')]
    expect(await client().findings.list().toArray({ limit: 2 })).toHaveLength(2)
    expect(answers).toEqual([])
  })

  test('429 and 503 are sent again after Retry-After and backoff, with the same Idempotency-Key', async () => {
    answers = [
      json(429, { error: 'API rate limit exceeded' }, { 'retry-after': '2' }),
      json(503, { error: 'Too many scans are waiting. Try again shortly.' }),
      json(200, { success: true, scanId: 'scn_1' }),
    ]
    const result = await client().scans.create({ file })
    expect(result.scanId).toBe('scn_1')
    expect(pauses).toEqual([2250, 500])
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
    expect(seen.every(({ body }) => body.includes('contract A {}'))).toBe(true)
  })

  test('an answer that is still being made is waited for', async () => {
    answers = [json(409, { error: 'In flight.' }, { 'retry-after': '1' }), json(200, { success: true, scanId: 's' })]
    expect((await client().scans.create({ file })).scanId).toBe('s')
  })

  test('a failure or a broken connection is tried again only where twice does no more than once', async () => {
    answers = [hangUp, json(502, {}), json(200, { success: true, scanId: 'scn_2' })]
    expect((await client().scans.create({ file })).scanId).toBe('scn_2')
    answers = [hangUp, json(200, { message: 'registered' })]
    const registered = client().account.logIn({ email: 'a@example.com', password: 'x' })
    await expect(registered).rejects.toMatchObject({ status: 0, attempts: 1 })
    await expect(registered).rejects.toBeInstanceOf(AssayConnectionError)
  })

  test('any other refusal is reported at once, with its stable code', async () => {
    const problem = { type: '/problems/key-invalid', detail: 'Invalid or expired API key', status: 403 }
    answers = [json(403, problem, { 'x-request-id': 'req_9' })]
    const error = await client()
      .scans.create({ file })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AssayError)
    expect(error).toMatchObject({
      message: 'Invalid or expired API key',
      code: 'key-invalid',
      status: 403,
      requestId: 'req_9',
      attempts: 1,
    })
    expect(seen[0]?.headers.accept).toContain('application/problem+json')
  })

  test('a limit that lasts longer than one is willing to wait is reported at once', async () => {
    answers = [json(429, { error: 'Daily scan limit exceeded.' }, { 'retry-after': '40000' })]
    await expect(client().scans.create({ file })).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 40_000,
      attempts: 1,
    })
    expect(pauses).toEqual([])
  })

  test('it gives up after the agreed number of attempts', async () => {
    answers = Array.from({ length: 9 }, () => json(503, { error: 'The service is restarting. Try again shortly.' }))
    const waits: unknown[] = []
    const call = client({ retries: { attempts: 3 }, onWait: (wait) => waits.push(wait?.status ?? null) })
    await expect(call.detectors.list()).rejects.toMatchObject({ status: 503, attempts: 3 })
    expect(seen).toHaveLength(3)
    expect(waits).toEqual([503, null, 503, null])
  })

  test('reports come in the type of their format, and send gives status and headers', async () => {
    const markdown: Answer = (response) => response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Report')
    const sarif: Answer = (response) =>
      response.writeHead(200, { 'content-type': 'application/sarif+json' }).end('{"version":"2.1.0","runs":[]}')
    answers = [markdown, sarif, json(200, {}, { ratelimit: '"hourly";r=1;t=2' })]
    expect(await client().scans.report('s', { format: 'markdown' })).toBe('# Report')
    expect((await client().scans.report('s', { format: 'sarif' })).runs).toEqual([])
    const answer = await client().send('GET /api/v1/scans', {})
    expect(answer.headers.get('ratelimit')).toBe('"hourly";r=1;t=2')
  })

  test('a service that says nothing is given up after the time allowed', async () => {
    answers = [silent]
    const call = client({ retries: { attempts: 1 } }).detectors.list({}, { timeoutMs: 30 })
    await expect(call).rejects.toBeInstanceOf(AssayTimeoutError)
  })

  test('an answer that is no JSON although it says so is an error of the service', async () => {
    const broken: Answer = (response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_1' }).end('{"a":')
    answers = [broken]
    await expect(client().detectors.list()).rejects.toMatchObject({
      name: 'AssayError',
      requestId: 'req_1',
      status: 200,
    })
  })

  test('a caller that lets go is not kept waiting', async () => {
    answers = [json(503, { error: 'busy' }, { 'retry-after': '30' })]
    const stop = new AbortController()
    const { port } = server.address() as AddressInfo
    const call = createClient({ baseUrl: `http://127.0.0.1:${port}` }).detectors.list({}, { signal: stop.signal })
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

  test.each([400, 401, 403, 404, 409, 413, 422])('%i is final', (status) => {
    expect(waitBefore(defaultRetries, { ...failed, status })).toBeUndefined()
  })

  test.each([0, 408, 500, 502, 504])('%i is repeated where twice does no more than once', (status) => {
    expect(waitBefore(defaultRetries, { ...failed, status })).toBe(500)
    expect(waitBefore(defaultRetries, { ...failed, status, isRepeatable: false })).toBeUndefined()
  })

  test('Retry-After is a number of seconds or a date', () => {
    const now = Date.parse('2026-03-10T12:00:00Z')
    expect(readRetryAfter('7', now)).toBe(7)
    expect(readRetryAfter('Tue, 10 Mar 2026 12:00:30 GMT', now)).toBe(30)
    expect(readRetryAfter('Tue, 10 Mar 2026 11:00:00 GMT', now)).toBe(0)
    expect(readRetryAfter('soon', now)).toBeNull()
    expect(readRetryAfter(null, now)).toBeNull()
  })
})

test('the version that is sent is the version of the package', () => {
  expect(createRequire(import.meta.url)('../package.json').version).toBe(version)
})
