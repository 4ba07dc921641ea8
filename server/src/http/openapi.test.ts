import { describe, expect, test } from 'vitest'
import { type RefusalName, refusals } from '../core/errors.ts'
import { routes } from '../routes/index.ts'
import { checkAnswer, checkEvent } from '../testing/check-document.ts'
import { eventDocs } from './event-schemas.ts'
import { describeApi, refusalsOf } from './openapi.ts'
import { operationName } from './operation-names.ts'
import { sampleWords } from './sample-words.ts'

const document = describeApi(routes)
const text = JSON.stringify(document)

type Node = { [key: string]: unknown }
type Operation = Node & {
  requestBody?: { content: Record<string, Node> }
  responses: Record<string, Node & { headers: Node; content?: Record<string, Node> }>
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Operation] as const,
  ),
)

/** What no test may be answered, because no operation says so. */
const redirect = { method: 'GET', url: '/health', status: 302, contentType: '', text: '', isKeyed: false }

describe('the OpenAPI document', () => {
  test('every reference leads somewhere', () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string)
    expect(references.length).toBeGreaterThan(100)
    const dangling = references.filter(
      (path) => path.split('/').reduce<unknown>((at, key) => (at as Node | undefined)?.[key], document) === undefined,
    )
    expect(dangling).toEqual([])
  })

  test('the words of a refusal are shown with facts of their kind', () => {
    for (const name of Object.keys(refusals) as RefusalName[]) {
      const words = refusals[name][1] as (...facts: unknown[]) => string
      const showsFact = name !== 'quotaSpent' && name !== 'keyQuotaSpent' && words('a fact').includes('a fact')
      if (showsFact) expect(sampleWords(name), name).not.toBe(words(60))
    }
  })

  test('no schema is only a reference to itself', () => {
    const circular = Object.entries(document.components.schemas).filter(
      ([name, schema]) => schema.$ref === `#/components/schemas/${name}`,
    )
    expect(circular).toEqual([])
  })

  test('bodies have names, so that generated clients have types with names', () => {
    for (const [name, { responses, requestBody }] of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.['application/json']?.schema as Node | undefined
        if (schema && schema.type !== 'string')
          expect(schema.$ref, `${name} ${status}`).toMatch(/^#\/components\/schemas\/\w+$/)
      }
      const body = (requestBody as { content: Record<string, { schema: Node }> } | undefined)?.content[
        'application/json'
      ]
      if (body) expect(body.schema.$ref, name).toMatch(/^#\/components\/schemas\/\w+/)
    }
  })

  test('answers are open: only the error body is closed for ever', () => {
    const closed = Object.entries(document.components.schemas)
      .filter(
        ([name, schema]) =>
          !name.endsWith('Request') && JSON.stringify(schema).includes('"additionalProperties":false'),
      )
      .map(([name]) => name)
    expect(closed).toEqual(['Error'])
  })

  test('an answer to a key describes the rate-limit headers, others do not', () => {
    for (const [name, { responses, security }] of operations) {
      const isKeyed = JSON.stringify(security).includes('apiKey')
      for (const [status, { headers }] of Object.entries(responses)) {
        if (status === 'default') continue
        expect('RateLimit' in headers && 'X-RateLimit-Reset' in headers, `${name} ${status}`).toBe(isKeyed)
        expect('X-Request-Id' in headers, `${name} ${status}`).toBe(true)
      }
    }
  })

  test('an operation lists a refusal only where its input or credential can cause it', () => {
    for (const route of routes) {
      const names = refusalsOf(route)
      const words = `${route.method} ${route.url}`
      const isParsed = route.bodyKind !== 'raw' && (names.includes('notJson') || route.jsonUpload !== undefined)
      expect(names.includes('brokenJson'), words).toBe(isParsed)
      if (route.method === 'GET') expect(names, words).not.toContain('brokenJson')
      if (route.access === 'public') expect(names, words).not.toContain('sessionMissing')
      if (route.method === 'GET') expect(names, words).not.toContain('crossSite')
      if (!route.requestHeaders?.['Idempotency-Key']) expect(names, words).not.toContain('idempotencyInFlight')
      if (route.access === 'public' && !route.body && !route.query && !route.upload)
        expect(names, words).not.toContain('invalid')
    }
  })

  test('every operation has a name for clients, or is known to need none', () => {
    const unnamed = routes.filter((route) => !route.hidden && operationName(route) === undefined)
    expect(unnamed.map(({ method, url }) => `${method} ${url}`)).toEqual([])
  })

  test('an operation takes one kind of body, so that generated clients can send it', () => {
    const kinds = operations.map(([name, { requestBody }]) => [name, Object.keys(requestBody?.content ?? {})] as const)
    expect(kinds.filter(([, types]) => types.length > 1)).toEqual([])
    const [, scan] = operations.find(([name]) => name === 'POST /api/v1/scan') ?? []
    const media = scan?.requestBody?.content['multipart/form-data'] as { schema: { properties: Node } } | undefined
    expect(media?.schema.properties.file).toMatchObject({
      type: 'array',
      items: { type: 'string', format: 'binary' },
    })
  })

  test('a JSON answer is described as what it is, never as text', () => {
    const opaque = operations.flatMap(([name, { responses }]) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([type, media]) =>
          /^application\/(json|sarif\+json)$/.test(type) &&
          (media as { schema: { type?: string } }).schema.type === 'string'
            ? [`${name} ${type}`]
            : [],
        ),
      ),
    )
    expect(opaque).toEqual([])
  })

  test('operation ids are unique', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('no operation answers with a redirect', () => {
    const isRedirect = (status: string): boolean => /^3/.test(status) && status !== '304'
    const redirecting = operations.filter(([, { responses }]) => Object.keys(responses).some(isRedirect))
    expect(redirecting.map(([name]) => name)).toEqual([])
    expect(
      checkAnswer({ ...redirect, headers: { 'x-request-id': 'req_1', location: 'https://elsewhere.example' } }),
    ).toMatch('302')
  })

  test('every example is a valid answer', () => {
    for (const { method, url, responses } of routes) {
      for (const [status, { example, contentType = 'application/json' }] of Object.entries(responses)) {
        if (example === undefined) continue
        const answer = { method, url, status: Number(status), contentType, text: JSON.stringify(example) }
        const problem = checkAnswer({ ...answer, headers: { 'x-request-id': 'req_1' }, isKeyed: false })
        expect(problem, `${method} ${url}`).toBeUndefined()
      }
    }
  })

  test('every operation that takes JSON shows a body that it takes', () => {
    for (const route of routes.filter(({ hidden }) => !hidden)) {
      const schema = route.body ?? route.jsonUpload
      if (!schema || route.describedBody === 'upload') continue
      const name = `${route.method} ${route.url}`
      const operation = document.paths[route.url.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] as Operation
      const { content } = operation.requestBody as { content: Record<string, { example?: unknown }> }
      const example = content['application/json']?.example
      expect(example, name).toBeDefined()
      expect(schema.safeParse(example).error, name).toBeUndefined()
    }
  })

  test('every operation that answers with JSON of its own shows an answer', () => {
    const silent = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status.startsWith('2') && content?.['application/json'])
        .filter(([, { content }]) => content?.['application/json']?.example === undefined)
        .map(() => name),
    )
    // Those answer with what was uploaded or made of it, whose form is reported elsewhere.
    expect(silent).toEqual(['GET /api/v1/scans/{scanId}/source', 'GET /api/v1/shared/{token}/source'])
  })

  test('every example of an event is a valid one, and another one is not', () => {
    for (const { example } of Object.values(eventDocs)) expect(checkEvent(JSON.stringify(example))).toBeUndefined()
    expect(checkEvent('{"type":"scan.completed"}')).toMatch('none that is described')
  })

  test('the check sees a wrong status, media type, body and a missing header', () => {
    const health = { method: 'GET', url: '/health', status: 200, contentType: 'application/json', isKeyed: false }
    const headers = { 'x-request-id': 'req_1' }
    expect(checkAnswer({ ...health, headers, text: '{"status":"ok"}' })).toBeUndefined()
    expect(checkAnswer({ ...health, headers, text: '{"status":"well"}' })).toMatch('not as declared')
    expect(checkAnswer({ ...health, headers, status: 204, text: '{}' })).toMatch('204')
    expect(checkAnswer({ ...health, headers, contentType: 'text/css', text: '{}' })).toMatch('text/css')
    expect(checkAnswer({ ...health, headers: {}, text: '{}' })).toMatch('x-request-id')
  })
})
