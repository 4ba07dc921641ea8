import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AiRequest, createAiGateway } from './ai-gateway.ts'
import { type OpenRouterStandIn, standInKey, startOpenRouterStandIn } from './stand-ins/open-router.ts'

let openRouter: OpenRouterStandIn
beforeAll(async () => {
  openRouter = await startOpenRouterStandIn()
})
afterAll(() => openRouter.close())

const reply = JSON.stringify({ summary: 'Prüfung ✓ 漢字 — nothing to add.', padding: 'é'.repeat(700) })
beforeEach(() => {
  openRouter.script = []
  openRouter.reply = () => reply
  ;(openRouter.requests as unknown[]).length = 0
})

const gateway = (timeouts: { totalTimeoutMs?: number; firstTokenTimeoutMs?: number; maxResponseBytes?: number } = {}) =>
  createAiGateway({
    baseUrl: openRouter.url,
    totalTimeoutMs: 20_000,
    random: () => 0.5,
    retryDelaysMs: [10, 20],
    ...timeouts,
  })

const request = (changes: Partial<AiRequest> = {}): AiRequest => ({
  key: standInKey,
  model: 'acme/auditor-1',
  messages: [{ role: 'user', content: 'contract A {}' }],
  schema: {
    name: 'audit',
    schema: {
      type: 'object',
      properties: { summary: { type: 'string' } },
      required: ['summary'],
      additionalProperties: false,
    },
  },
  maxTokens: 1000,
  ...changes,
})

test('asks for a stream in a strict schema, denies data collection, and sends the key as a bearer token alone', async () => {
  await gateway().complete(request())
  const [sent] = openRouter.requests
  expect(sent?.authorization).toBe(`Bearer ${standInKey}`)
  expect(sent?.body).toMatchObject({
    model: 'acme/auditor-1',
    stream: true,
    provider: { require_parameters: true, data_collection: 'deny' },
    response_format: { type: 'json_schema', json_schema: { name: 'audit', strict: true } },
  })
  expect(JSON.stringify(sent?.body)).not.toContain(standInKey)
})

test('puts a stream together again, across comments, split characters and split line ends', async () => {
  const seen: number[] = []
  const result = await gateway().complete(
    request({ onProgress: ({ receivedCharacters }) => seen.push(receivedCharacters) }),
  )
  expect(result).toEqual({
    kind: 'answer',
    text: reply,
    model: 'acme/auditor-1',
    usage: { promptTokens: 1200, completionTokens: 80 },
    attempts: 1,
  })
  expect(seen.length).toBeGreaterThan(10)
  expect(seen.at(-1)).toBe(reply.length)
})

test('reads one JSON document although a stream was asked for', async () => {
  openRouter.script = [{ kind: 'document' }]
  expect(await gateway().complete(request())).toMatchObject({ kind: 'answer', text: reply })
})

test('falls back once without require_parameters when no endpoint offers structured output', async () => {
  const result = await gateway().complete(request({ model: 'acme/plain-1' }))
  expect(result).toMatchObject({ kind: 'answer', attempts: 2 })
  expect(openRouter.requests.map(({ body }) => body.provider)).toEqual([
    { data_collection: 'deny', require_parameters: true },
    { data_collection: 'deny' },
  ])
})

test('falls back without the schema when the parameter itself is refused', async () => {
  openRouter.script = [{ kind: 'error', status: 400, message: 'response_format is not supported by this model' }]
  expect(await gateway().complete(request())).toMatchObject({ kind: 'answer', attempts: 2 })
  expect(openRouter.requests[1]?.body.response_format).toBeUndefined()
})

test('does not fall back a second time', async () => {
  openRouter.script = [
    { kind: 'error', status: 404, type: 'no_endpoints', message: 'No endpoints found' },
    { kind: 'error', status: 404, type: 'no_endpoints', message: 'No endpoints found' },
  ]
  expect(await gateway().complete(request())).toEqual({ kind: 'unknownModel', detail: '404 no_endpoints' })
  expect(openRouter.requests).toHaveLength(2)
})

test.each([
  ['a key it does not know', { key: 'sk-or-v1-wrong' }, 'keyRejected'],
  ['a model it does not know', { model: 'acme/none' }, 'unknownModel'],
  [
    'a prompt beyond the context',
    { model: 'acme/tiny-1', messages: [{ role: 'user' as const, content: 'x'.repeat(300) }] },
    'tooLong',
  ],
])('%s is a failure of its own kind and is not retried', async (_, changes, kind) => {
  expect(await gateway().complete(request(changes))).toMatchObject({ kind })
  expect(openRouter.requests).toHaveLength(1)
})

test.each([
  [402, 'noCredit', 1],
  [403, 'moderated', 1],
  [413, 'tooLong', 1],
  [418, 'unusable', 1],
  [408, 'timeout', 2],
  [504, 'timeout', 2],
  [500, 'unusable', 3],
  [502, 'unusable', 3],
  [503, 'unusable', 3],
])('status %i becomes %s after %i tries', async (status, kind, tries) => {
  openRouter.script = Array.from({ length: 5 }, () => ({ kind: 'error', status }) as const)
  expect(await gateway().complete(request())).toMatchObject({ kind })
  expect(openRouter.requests).toHaveLength(tries)
})

test('a retry that succeeds is a success', async () => {
  openRouter.script = [{ kind: 'error', status: 502 }, { kind: 'dropConnection' }]
  expect(await gateway().complete(request())).toMatchObject({ kind: 'answer', attempts: 3 })
})

test('429: waits as long as Retry-After says when that is short', async () => {
  openRouter.script = [{ kind: 'error', status: 429, retryAfter: '1' }]
  const startedAt = performance.now()
  expect(await gateway().complete(request())).toMatchObject({ kind: 'answer', attempts: 2 })
  expect(performance.now() - startedAt).toBeGreaterThan(950)
})

test('429: hands a long Retry-After on instead of waiting', async () => {
  openRouter.script = [{ kind: 'error', status: 429, retryAfter: '120' }]
  expect(await gateway().complete(request())).toMatchObject({ kind: 'throttled', retryAfterSeconds: 120 })
  expect(openRouter.requests).toHaveLength(1)
})

test.each([
  ['an error document inside a 200', { kind: 'errorInside200', code: 502 }, 'unusable'],
  ['no credit, told inside a 200', { kind: 'errorInside200', code: 402 }, 'noCredit'],
  ['an error inside the choice', { kind: 'errorInChoice', code: 502 }, 'unusable'],
  ['an error in the middle of the stream', { kind: 'errorMidStream', code: 503 }, 'unusable'],
  ['finish reason error', { kind: 'finish', reason: 'error' }, 'unusable'],
  ['finish reason length', { kind: 'finish', reason: 'length' }, 'unusable'],
  ['finish reason content_filter', { kind: 'finish', reason: 'content_filter' }, 'moderated'],
  ['finish reason length in a document', { kind: 'document', finishReason: 'length' }, 'unusable'],
  ['a stream that stops half-way', { kind: 'cutStream' }, 'unusable'],
  ['a dropped connection', { kind: 'dropConnection' }, 'unusable'],
  ['a page that is no completion', { kind: 'malformed' }, 'unusable'],
  ['an empty answer', { kind: 'empty' }, 'unusable'],
] as const)('%s is a failure', async (_, behaviour, kind) => {
  openRouter.script = [behaviour, behaviour, behaviour]
  expect(await gateway().complete(request())).toMatchObject({ kind })
})

test('a redirect is not followed: the key goes to one address only', async () => {
  const elsewhere = await startOpenRouterStandIn()
  openRouter.script = [{ kind: 'redirect', to: `${elsewhere.url}/chat/completions` }]
  expect(await gateway().complete(request())).toMatchObject({ kind: 'unusable' })
  expect(elsewhere.requests).toHaveLength(0)
  await elsewhere.close()
})

test('an answer beyond the byte cap is given up at the cap', async () => {
  openRouter.script = [{ kind: 'flood', bytes: 50_000_000 }]
  const result = await gateway({ maxResponseBytes: 200_000 }).complete(request())
  expect(result).toEqual({ kind: 'unusable', detail: '502 too_large' })
  expect(openRouter.requests).toHaveLength(1)
})

test.each(['silence', 'commentsForever'] as const)(
  '%s ends at the first-token deadline, after one retry',
  async (kind) => {
    openRouter.script = [{ kind }, { kind }, { kind }]
    expect(await gateway({ firstTokenTimeoutMs: 150 }).complete(request())).toMatchObject({ kind: 'timeout' })
    expect(openRouter.requests).toHaveLength(2)
  },
)

test('an answer that trickles for ever ends at the total deadline', async () => {
  openRouter.script = [{ kind: 'trickle', everyMs: 20 }]
  const result = await gateway({ totalTimeoutMs: 2_000, firstTokenTimeoutMs: 1_900 }).complete(request())
  expect(result).toEqual({ kind: 'timeout', detail: 'total deadline' })
  expect(openRouter.requests).toHaveLength(1)
})

test('a caller who goes away ends the request', async () => {
  openRouter.script = [{ kind: 'trickle', everyMs: 20 }]
  const controller = new AbortController()
  const leave = () => controller.abort()
  expect(await gateway().complete(request({ signal: controller.signal, onProgress: leave }))).toMatchObject({
    kind: 'cancelled',
  })
})

test('nobody listening is an unusable gateway, and no detail ever holds the key or the prompt', async () => {
  const dead = createAiGateway({
    baseUrl: 'http://127.0.0.1:9/api/v1',
    totalTimeoutMs: 2_000,
    random: () => 0,
    retryDelaysMs: [5, 5],
  })
  expect(await dead.complete(request())).toEqual({ kind: 'unusable', detail: '502 connection' })
  openRouter.script = [
    { kind: 'error', status: 418, type: `echo ${standInKey}`, message: `you sent ${standInKey} contract A {}` },
  ]
  expect(JSON.stringify(await gateway().complete(request()))).toBe('{"kind":"unusable","detail":"418"}')
})

test('a gateway that hung delays nobody once it is well: no request waits on a connection of another', async () => {
  const held: Socket[] = []
  let isHung = true
  const front = createServer((socket) => {
    held.push(socket)
    if (isHung) return
    const onward = connect(Number(new URL(openRouter.url).port), '127.0.0.1')
    held.push(onward)
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const settings = { baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}/api/v1`, random: () => 0.5 }
  const impatient = createAiGateway({ ...settings, totalTimeoutMs: 300 })
  expect(await impatient.complete(request())).toMatchObject({ kind: 'timeout' })
  // Turns of the event loop in which another connection would be opened, if one were.
  for (let turn = 0; turn < 1000 && held.length < 2; turn++) await new Promise(setImmediate)
  isHung = false
  const patient = createAiGateway({ ...settings, totalTimeoutMs: 20_000 })
  expect(await patient.complete(request())).toMatchObject({ kind: 'answer', attempts: 1 })
  front.close()
  for (const socket of held) socket.destroy()
})
