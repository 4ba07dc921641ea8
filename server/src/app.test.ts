import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './app.ts'
import { refusals } from './core/errors.ts'
import { defineRoute } from './http/define-route.ts'
import { startTestApp, type TestApp } from './testing/start-test-app.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const json = { 'content-type': 'application/json' }

describe('every failure is one sentence in one field', () => {
  test('404: an unknown address, also with a body that is none', async () => {
    for (const request of [
      { method: 'GET', url: '/api/nothing' },
      { method: 'POST', url: '/api/nothing', payload: '{broken', headers: json },
      { method: 'PUT', url: '/nothing', payload: 'x', headers: { 'content-type': 'text/plain' } },
      { method: 'GET', url: '/%zz' },
      { method: 'POST', url: '/api/login/' },
      { method: 'GET', url: '/api/v1/scans/a/b/c/d' },
    ] as const) {
      const answer = await app.inject(request)
      expect([answer.statusCode, answer.json()], request.url).toEqual([404, { error: 'Not found.' }])
    }
  })

  test('404: an id of whatever length and form is answered like any unknown id', async () => {
    const { session } = await app.signUp()
    for (const id of ['x', 'x'.repeat(600), '%zz', '%00', '..%2f..%2fetc', '%F0%9F%90%9D']) {
      const answer = await app.get(`/api/v1/scans/${id}`, session)
      expect([answer.statusCode, answer.json()], id).toEqual([404, { error: 'Scan not found.' }])
    }
  })

  test('nothing allows another origin, and TRACE gives nothing back', async () => {
    for (const method of ['OPTIONS', 'GET', 'TRACE'] as const) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST', 'x-secret': 'hush' }
      const answer = await app.inject({ method: method as 'GET', url: '/api/login', headers })
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(answer.body).not.toContain('hush')
    }
  })

  test('405: a known address with another method, and which ones it takes', async () => {
    const answer = await app.inject({ method: 'GET', url: '/api/register' })
    expect([answer.statusCode, answer.json()]).toEqual([405, { error: 'Method not allowed. Use POST.' }])
    expect(answer.headers.allow).toBe('POST')
  })

  test.each(['{broken', '"', '{"a":}', '{"__proto__": {"x": 1}}'])(
    '400: %s is not JSON that we take',
    async (payload) => {
      const answer = await app.inject({ method: 'POST', url: '/api/login', payload, headers: json })
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'The request body is not valid JSON.' }])
    },
  )

  test.each(['null', '[]', '5', '"text"'])('400: %s is no object', async (payload) => {
    const answer = await app.inject({ method: 'POST', url: '/api/login', payload, headers: json })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatch(/^(The request body must be a JSON object|email is required)\.$/)
  })

  test('413: a JSON body beyond its limit', async () => {
    const payload = JSON.stringify({ email: 'a'.repeat(70_000) })
    const answer = await app.inject({ method: 'POST', url: '/api/login', payload, headers: json })
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { error: 'The request body exceeds the maximum of 65536 bytes.' },
    ])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
    '415: %s where JSON is wanted',
    async (type) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/login',
        payload: 'x',
        headers: { 'content-type': type },
      })
      expect([answer.statusCode, answer.json()]).toEqual([415, { error: 'Content-Type must be application/json.' }])
    },
  )

  test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/json', undefined])(
    '401: a body of type %s with DELETE means nothing',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await app.inject({ method: 'DELETE', url: '/api/v1/sessions/ses_1', payload: '{"x', headers })
      expect([answer.statusCode, answer.json()]).toEqual([401, { error: expect.any(String) }])
    },
  )

  test('400: a request without a body is one without fields', async () => {
    for (const headers of [{}, json]) {
      const answer = await app.inject({ method: 'POST', url: '/api/login', headers })
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'email is required.' }])
    }
  })

  test('application/problem+json comes only when it is asked for', async () => {
    const response = await app.get('/api/me', { accept: 'text/html, application/problem+json;q=0.9' })
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toEqual({
      type: '/problems/session-missing',
      title: 'Session missing',
      status: 401,
      detail: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.',
      instance: response.headers['x-request-id'],
    })
    for (const accept of ['*/*', 'application/json', 'application/problem+json;q=0']) {
      const answer = await app.get('/api/me', { accept })
      expect(answer.headers['content-type'], accept).toBe('application/json; charset=utf-8')
    }
  })

  test('the type of a problem leads to its description', async () => {
    const known = await app.get('/problems/quota-spent')
    expect([known.statusCode, known.json()]).toEqual([
      200,
      {
        type: '/problems/quota-spent',
        title: 'Quota spent',
        status: 429,
        example: 'Daily scan limit exceeded. Limit resets at 2026-03-11T00:00:00.000Z',
        headers: ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
      },
    ])
    const unknown = await app.get('/problems/none')
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: 'There is no such problem type.' }])
  })

  test('500: a reference and nothing else; the cause is in the log under the same reference', async () => {
    const failing = ['Service', 'Scans'].map((tag) =>
      defineRoute({
        method: 'GET',
        url: `/fail/${tag}`,
        summary: 'Fails',
        tag: tag as 'Service',
        access: 'public',
        responses: { 200: { description: 'Never.' } },
        refusals: [],
        handle: () => {
          throw new Error('select secret from /var/lib/secret')
        },
      }),
    )
    const broken = await buildApp(app.deps, failing)
    const answer = await broken.inject({ method: 'GET', url: '/fail/Service' })
    const reference = answer.headers['x-request-id']
    expect([answer.statusCode, answer.json()]).toEqual([500, { error: `Internal error. Reference ${reference}` }])
    expect(app.logLines.join('')).toMatch(new RegExp(`select secret.*${reference}|${reference}.*select secret`))
    const scan = await broken.inject({ method: 'GET', url: '/fail/Scans' })
    expect(scan.json()).toEqual({ error: `Scan failed. Reference ${scan.headers['x-request-id']}` })
    await broken.close()
  })
})

describe('on a real socket', () => {
  let port: number
  beforeAll(async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.app.server.address() as AddressInfo).port
  })

  /** As long as its head says. */
  const isWhole = (answer: string): boolean => {
    const [head = '', body] = answer.split('\r\n\r\n')
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)
  }

  async function send(text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.write(text)
    await new Promise<void>((resolve) => {
      socket.on('data', () => isWhole(answer) && resolve())
      socket.on('close', () => resolve())
    })
    socket.destroy()
    return answer
  }
  const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

  test('400: what is not HTTP', async () => {
    const answer = await send('hello\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(/X-Request-Id: req_/)
    expect(bodyOf(answer)).toEqual({ error: 'The request could not be understood.' })
  })

  test.each([
    ['a request that names no host', 'GET /health HTTP/1.1\r\n\r\n'],
    [
      'two lengths that contradict each other',
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a client that takes this for a proxy', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ])('400: %s', async (_case, text) => {
    const answer = await send(text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(/x-request-id: req_/i)
    expect(bodyOf(answer)).toEqual({ error: 'The request could not be understood.' })
  })

  test('401: an Expect header that means nothing to us changes nothing', async () => {
    const answer = await send('GET /api/me HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(bodyOf(answer)).toEqual({ error: refusals.sessionMissing[1]() })
  })

  test('431: headers without end', async () => {
    const answer = await send(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(bodyOf(answer)).toEqual({ error: 'The request headers are too large.' })
  })

  test('401: a long upload without a key is answered at once and hung up on', async () => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.write(
      'POST /api/v1/scan HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const pump = setInterval(() => socket.write(`400\r\n${'a'.repeat(1024)}\r\n`), 1)
    await once(socket, 'close')
    clearInterval(pump)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(answer).toContain('API key is required. Please provide X-API-Key header.')
  })

  test('a closing service finishes what it has begun and takes nothing new', async () => {
    const other = await startTestApp()
    let enter = (): void => undefined
    const entered = new Promise<void>((resolve) => {
      enter = resolve
    })
    let finish = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const slow = defineRoute({
      method: 'GET',
      url: '/slow',
      summary: 'Slow',
      tag: 'Service',
      access: 'public',
      responses: { 200: { description: 'Done.' } },
      refusals: [],
      async handle() {
        enter()
        await gate
        return { done: true }
      },
    })
    const service = await buildApp(other.deps, [slow])
    const address = await service.listen({ host: '127.0.0.1', port: 0 })
    const inFlight = fetch(`${address}/slow`)
    await entered
    const closing = service.close()
    await expect.poll(() => service.server.listening).toBe(false)
    await expect(fetch(`${address}/slow`)).rejects.toThrow()
    finish()
    expect(await (await inFlight).json()).toEqual({ done: true })
    await closing
    await other.close()
  })
})

describe('headers', () => {
  test('every response has its own X-Request-Id, and a client cannot choose it', async () => {
    const answers = [await app.get('/health', { 'x-request-id': 'chosen-by-client' }), await app.get('/nothing')]
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{26}$/)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('behind a trusted proxy its X-Request-Id and client address are taken', async () => {
    const proxied = await startTestApp({ environment: { TRUST_PROXY: '1' } })
    const { email, password } = await proxied.signUp()
    const headers = { 'x-request-id': 'proxy-1234', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
    const answer = await proxied.post('/api/login', { email, password }, headers)
    expect(answer.headers['x-request-id']).toBe('proxy-1234')
    const sessions = await proxied.get('/api/v1/sessions', { authorization: `Bearer ${answer.json().token}` })
    const addresses = sessions.json().data.sessions.map(({ address }: { address: string }) => address)
    expect(addresses).toContain('198.51.100.7')
    await proxied.close()
  })

  test('without a trusted proxy forwarded addresses are not believed', async () => {
    const { email, password } = await app.signUp()
    const answer = await app.post('/api/login', { email, password }, { 'x-forwarded-for': '203.0.113.9' })
    const sessions = await app.get('/api/v1/sessions', { authorization: `Bearer ${answer.json().token}` })
    expect(sessions.body).not.toContain('203.0.113.9')
  })

  test('the first answer and every later one, a refusal too, have the same security headers', async () => {
    const fresh = await startTestApp()
    const names = ['content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy'] as const
    const answers = [await fresh.get('/health'), await fresh.get('/health'), await fresh.get('/api/me')]
    await fresh.close()
    const sets = answers.map(({ headers }) => names.map((name) => headers[name]))
    expect(sets[0]).toEqual([expect.stringContaining("default-src 'none'"), 'DENY', 'nosniff', 'no-referrer'])
    expect(sets[1]).toEqual(sets[0])
    expect(sets[2]).toEqual(sets[0])
    expect(answers[1]?.headers['x-request-id']).not.toBe(answers[0]?.headers['x-request-id'])
  })

  test('pages run no inline script and are framed by nobody', async () => {
    const policy = String((await app.get('/')).headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(policy).not.toContain('upgrade-insecure-requests')
  })
})

describe('the service’s own pages', () => {
  test('GET /health 200', async () => {
    const answer = await app.get('/health')
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
  })

  test('GET /ready 200, and 503 when the database does not answer', async () => {
    expect((await app.get('/ready')).json()).toEqual({ status: 'ready' })
    const broken = await startTestApp()
    await broken.deps.database.close()
    const answer = await broken.get('/ready')
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: 'The service is not ready.' }])
    expect(answer.headers['retry-after']).toBe('5')
    await broken.app.close()
  })

  test('GET /openapi.json describes every public route, with every refusal it can give', async () => {
    const answer = await app.get('/openapi.json')
    const document = answer.json()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/v1/user-api-keys/{id}/rotate')
    const register = document.paths['/api/register'].post
    expect(Object.keys(register.responses)).toEqual(['201', '400', '409', '413', '415', '429', '500', '503', 'default'])
    expect(Object.keys(register.responses[429].content['application/json'].examples)).toEqual([
      'tooManyRegistrations',
      'tooManyCodes',
    ])
    expect(document.components.examples.emailTaken.value).toEqual({ error: refusals.emailTaken[1]() })
  })

  test('GET /openapi.json?section= has the operations of one tag, whole, and all tags', async () => {
    const all = (await app.get('/openapi.json')).json()
    const read = async (section: string) => (await app.get(`/openapi.json?section=${section}`)).json()
    const keys = await read('api-keys')
    const isOfKeys = ({ tags }: { tags: string[] }) => tags[0] === 'API keys'
    const count = (paths: Record<string, Record<string, { tags: string[] }>>) =>
      Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(count(keys.paths)).toEqual(count(all.paths).filter(isOfKeys))
    expect(count(keys.paths).length).toBeGreaterThan(3)
    expect([keys.tags, keys.info]).toEqual([all.tags, all.info])
    for (const [, name = ''] of JSON.stringify(keys.paths).matchAll(/#\/components\/schemas\/(\w+)/g))
      expect(keys.components.schemas[name], name).toEqual(all.components.schemas[name])
    for (const section of ['', 'nonsense', '__proto__']) expect((await read(section)).paths).toEqual({})
  })

  test('every reference inside openapi.json leads somewhere, and every operation has an answer and its own id', async () => {
    const document = (await app.get('/openapi.json')).json()
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, path]) => path ?? '')
    expect(references.length).toBeGreaterThan(50)
    for (const path of new Set(references)) {
      const target = path
        .split('/')
        .slice(1)
        .reduce((node, name) => node?.[name], document)
      expect(target, path).toBeDefined()
    }
    const operations = Object.values<Record<string, { operationId: string; responses: object }>>(
      document.paths,
    ).flatMap((methods) => Object.values(methods))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operationId, responses } of operations) {
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true)
    }
  })

  const local = { host: '127.0.0.1:3000' }
  const trial = ['/metrics', '/dev/mail']
  const printed = (url: string, { deps }: TestApp = app): string => `${url}?token=${deps.trialToken}`

  test.each(trial)('GET %s 200 on a local trial installation', async (url) => {
    expect((await app.get(printed(url), local)).statusCode).toBe(200)
    expect((await app.get(printed(url), { host: 'localhost:3000' })).statusCode).toBe(200)
  })

  test.each(trial)(
    'GET %s 404 without what was printed at the start, whatever a tunnel leaves of the headers',
    async (url) => {
      const { trialToken } = app.deps
      for (const query of ['', '?token=', '?token=x', `?token=${trialToken}x`, `?token=${trialToken}&token=x`])
        expect((await app.get(`${url}${query}`, local)).statusCode, query).toBe(404)
      expect((await app.get(url, { ...local, authorization: `Bearer ${trialToken}` })).statusCode).toBe(404)
    },
  )

  test.each([
    ['a foreign Host header', { host: 'assay.example.com' }],
    ['a rebinding Host header', { host: '127.0.0.1.example.com' }],
    ['X-Forwarded-For', { ...local, 'x-forwarded-for': '127.0.0.1' }],
    ['X-Forwarded-Host', { ...local, 'x-forwarded-host': 'x' }],
    ['Forwarded', { ...local, forwarded: 'for=127.0.0.1' }],
    ['Via', { ...local, via: '1.1 proxy' }],
    ['CF-Connecting-IP', { ...local, 'cf-connecting-ip': '203.0.113.5' }],
  ])('GET /metrics and /dev/mail 404 with %s', async (_what, headers) => {
    for (const url of trial) {
      const answer = await app.get(printed(url), headers)
      expect([answer.statusCode, answer.json()], url).toEqual([404, { error: 'Not found.' }])
    }
  })

  test.each([
    ['mail is really sent', { SMTP_URL: 'smtp://127.0.0.1:2525' }],
    ['the host is not loopback', { HOST: '0.0.0.0' }],
    ['the public address is not loopback', { PUBLIC_URL: 'https://a.example', BILLING_PROVIDER: 'sandbox' }],
    ['it is production', { NODE_ENV: 'production', BILLING_PROVIDER: 'sandbox', PRINT_MAILS: 'on' }],
  ])('GET /metrics and /dev/mail 404 when %s', async (_what, environment) => {
    const other = await startTestApp({ environment: environment as Record<string, string> })
    for (const url of trial) expect((await other.get(printed(url, other), local)).statusCode, url).toBe(404)
    await other.close()
  })

  test('GET /metrics 200 from anywhere with the token, 404 with another', async () => {
    const token = 'a token for the metrics'
    const other = await startTestApp({
      environment: {
        METRICS_TOKEN: token.replaceAll(' ', '-'),
        NODE_ENV: 'production',
        BILLING_PROVIDER: 'sandbox',
        PRINT_MAILS: 'on',
      },
    })
    await other.get('/health')
    const bearer = { authorization: `Bearer ${token.replaceAll(' ', '-')}`, host: 'assay.example.com' }
    const answer = await other.get('/metrics', bearer)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(answer.body).toContain('assay_http_requests_total{method="GET",route="/health",status="200"} 1')
    expect((await other.get('/metrics', { ...bearer, authorization: 'Bearer x' })).statusCode).toBe(404)
    await other.close()
  })
})

describe('the dashboard', () => {
  test('an installation that has not built it says that the service is up', async () => {
    const answer = await app.app.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
  })

  test('assets are kept for ever, the page never, and deep links get the page', async () => {
    const siteDir = temporaryFolder()
    mkdirSync(join(siteDir, 'assets'))
    writeFileSync(join(siteDir, 'index.html'), '<!doctype html><title>Dashboard</title>')
    writeFileSync(join(siteDir, 'assets', 'main-abc123.js'), 'export {}')
    const site = await buildApp({ ...app.deps, siteDir }, [])
    const get = (url: string, accept = 'text/html,*/*') => site.inject({ method: 'GET', url, headers: { accept } })
    for (const url of ['/', '/scans/scn_1', '/reset-password', '/docs', '/docs/scans']) {
      const page = await get(url)
      expect([page.statusCode, page.body, page.headers['cache-control']], url).toEqual([
        200,
        '<!doctype html><title>Dashboard</title>',
        'no-cache',
      ])
    }
    writeFileSync(join(siteDir, 'assets', 'main-abc123.js.br'), 'as the build left it')
    const pressed = await site.inject({
      method: 'GET',
      url: '/assets/main-abc123.js',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect([pressed.body, pressed.headers['content-encoding'], pressed.headers.vary]).toEqual([
      'as the build left it',
      'br',
      'accept-encoding',
    ])
    expect(pressed.headers['content-type']).toContain('javascript')
    const asset = await get('/assets/main-abc123.js')
    expect(asset.body).toBe('export {}')
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const [url, accept] of [
      ['/scans/scn_1', 'application/json'],
      ['/api/unknown', 'text/html'],
      ['/../../etc/passwd', '*/*'],
      ['/assets/%2e%2e/%2e%2e/secret', '*/*'],
    ] as const) {
      const answer = await get(url, accept)
      expect([answer.statusCode, answer.json()], url).toEqual([404, { error: 'Not found.' }])
    }
    await site.close()
  })
})
