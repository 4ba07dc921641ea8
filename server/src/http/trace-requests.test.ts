import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Analysis, createAnalysis } from '../analysis/analysis.ts'
import { startWebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { startInstance } from '../services/scan-quota.ts'
import { sourceForm } from '../testing/form.ts'
import { floatingSource } from '../testing/scan-service.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

const received: { path: string; secret: string | undefined; body: string }[] = []
const spans = (): OtlpSpan[] =>
  received.flatMap(({ body }) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }).resourceSpans.flatMap(
      ({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans),
    ),
  )

let collector: Server
let analysis: Analysis
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const { url = '', headers } = request
    received.push({ path: url, secret: headers['x-secret'] as string | undefined, body: await text(request) })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  analysis = createAnalysis({
    scanWorkers: 1,
    scanTimeoutMs: 20_000,
    scanMemoryMb: 256,
    scanQueue: 10,
    scanWaitMs: 30_000,
  })
})
afterAll(() => {
  collector.closeAllConnections()
  collector.close()
})

/** Scans once, stops the service, which sends what it has, and gives the key that was used. */
async function scanOnce(environment: Record<string, string>): Promise<{ app: TestApp; key: string }> {
  const app = await startTestApp({ environment, analysis })
  const instance = await startInstance(app.deps, { isAlone: false, onError: () => {} })
  const account = await app.signUp()
  const { keyValue } = await app.makeKey(account)
  const { payload, headers } = sourceForm(floatingSource)
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/scan',
    payload,
    headers: { ...headers, 'x-api-key': keyValue, traceparent },
  })
  expect(answer.statusCode).toBe(200)
  await instance.stop()
  await app.close()
  return { app, key: keyValue }
}

test('a scan is one trace: request, queue, worker, store; sent by OTLP over HTTP, without a secret in it', async () => {
  const { port } = collector.address() as AddressInfo
  const { key } = await scanOnce({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-secret=a%20token',
    OTEL_SERVICE_NAME: 'assay-test',
    TRUST_PROXY: '1',
  })
  expect(new Set(received.map(({ path, secret }) => `${path} ${secret}`))).toEqual(new Set(['/v1/traces a token']))
  const all = spans()
  const request = all.find(({ name }) => name === 'POST /api/v1/scan')
  // The proxy's step comes before the service's.
  expect(request).toMatchObject({ traceId: traceparent.slice(3, 35), parentSpanId: traceparent.slice(36, 52) })
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const steps = all.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name)
  expect(steps).toEqual(['queue', 'worker', 'store'])
  const said = received.map(({ body }) => body).join()
  expect(said).toContain('assay-test')
  for (const secret of [key, 'a long enough password', floatingSource]) expect(said).not.toContain(secret)
})

test('a background job is a trace of its own: mail, or webhook and store; without an address or a code in it', async () => {
  received.length = 0
  const { port } = collector.address() as AddressInfo
  const app = await startTestApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } })
  const account = await app.signUp({ plan: 'pro' })
  const receiver = await startWebhookReceiver()
  const { id } = (await app.post('/api/v1/webhooks', { url: receiver.url }, account.session)).json().data
  await app.post(`/api/v1/webhooks/${id}/test`, {}, account.session)
  await app.runJobs()
  await app.close()
  await receiver.close()
  const all = spans()
  const stepsOf = (name: string): string[][] =>
    all
      .filter((span) => span.name === name)
      .map(({ spanId, traceId }) =>
        all.filter((step) => step.parentSpanId === spanId && step.traceId === traceId).map((step) => step.name),
      )
  expect(new Set(stepsOf('job mail').map(String))).toEqual(new Set(['mail']))
  expect(stepsOf('job deliver-webhook')).toEqual([['webhook', 'store']])
  const job = all.find(({ name }) => name === 'job deliver-webhook')
  expect(job?.parentSpanId ?? '').toBe('')
  expect(job?.attributes).toContainEqual({ key: 'assay.job.attempt', value: { intValue: 1 } })
  const said = received.map(({ body }) => body).join()
  for (const secret of ['example.com', receiver.url, account.userId]) expect(said).not.toContain(secret)
})

test('without an endpoint nothing is traced or loaded', async () => {
  received.length = 0
  const app = await startTestApp({ environment: { OTEL_SERVICE_NAME: 'assay-test' } })
  expect(app.deps.tracing).toBeUndefined()
  await app.get('/health')
  await app.close()
  expect(received).toEqual([])
})

test('an outsider’s traceparent is not believed without a trusted proxy, and a part of zero traces nothing', async () => {
  const { port } = collector.address() as AddressInfo
  const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces` }
  for (const [part, count] of [
    ['1', 1],
    ['0', 0],
  ] as const) {
    received.length = 0
    const app = await startTestApp({ environment: { ...environment, OTEL_TRACES_SAMPLER_ARG: part } })
    await app.get('/health', { traceparent })
    await app.close()
    expect(spans()).toHaveLength(count)
    expect(spans().filter(({ traceId }) => traceId === traceparent.slice(3, 35))).toEqual([])
  }
})
