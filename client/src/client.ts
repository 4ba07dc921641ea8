import { AssayError, type Refused } from './assay-error.ts'
import {
  idempotentOperations,
  methods,
  type Operations,
  type Scan,
  type ScanAccepted,
  type ScanProgress,
} from './generated.ts'
import { defaultRetries, type Retries, waitBefore } from './retries.ts'
import { type Followed, type WaitOptions, waitForScan } from './wait.ts'

type Name = keyof Operations
type Methods = typeof methods

/** Parts that an operation does not have need not be given; of those that are all optional neither. */
type Part<K extends string, T> = [T] extends [never]
  ? { readonly [key in K]?: undefined }
  : Record<never, never> extends T
    ? { readonly [key in K]?: T }
    : { readonly [key in K]: T }

export type InputOf<K extends Name> = Part<'params', Operations[K]['params']> &
  Part<'query', Operations[K]['query']> &
  Part<'body', Operations[K]['body']> &
  RequestOptions

export interface RequestOptions {
  /** Further headers, `Accept` or `Prefer` say. */
  readonly headers?: Readonly<Record<string, string>>
  /** Chosen by the client when absent, where the operation takes one: a retry is never charged twice. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type InputArguments<K extends Name> =
  Record<never, never> extends InputOf<K> ? [input?: InputOf<K>] : [input: InputOf<K>]

export type Client = {
  readonly [M in keyof Methods]: (...input: InputArguments<Methods[M]>) => Promise<Operations[Methods[M]]['response']>
} & {
  /** Any operation, with status and headers: for reports in other formats, paging links and limits. */
  send<K extends Name>(operation: K, ...input: InputArguments<K>): Promise<Response>
  /** Queues a scan instead of waiting for it: answered at once, with its id. */
  scanAsync(input: InputOf<'POST /api/v1/scan'>): Promise<ScanAccepted>
  /** Waits for a queued scan, by its events, and gives its result; throws `ScanWithoutResult` when it has none. */
  wait(scanId: string, options?: WaitOptions): Promise<Scan>
}

export interface ClientOptions {
  /** `https://assay.example.com` */
  readonly baseUrl: string
  /** Sent as `X-API-Key`. */
  readonly apiKey?: string
  /** The token from `login`, sent as a Bearer token, for operations of the account. */
  readonly token?: string
  readonly retries?: Partial<Retries>
  /** Instead of the global one. */
  readonly fetch?: typeof fetch
  /** For tests. */
  readonly pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly random?: () => number
}

interface Loose extends RequestOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Every operation of the interface as a method: `client.postScan({ body })`. */
export function createClient(options: ClientOptions): Client {
  const send = (operation: string, input: Loose = {}): Promise<Response> => sendPatiently(options, operation, input)
  const calls = Object.entries(methods).map(([name, operation]) => [
    name,
    async (input?: Loose) => readAnswer(await send(operation, input)),
  ])
  const scanAsync = async (input: Loose): Promise<unknown> => {
    const headers = { ...input.headers, prefer: 'respond-async' }
    return readAnswer(await send('POST /api/v1/scan', { ...input, headers }))
  }
  const wait = (scanId: string, waiting?: WaitOptions): Promise<Scan> =>
    waitForScan(followed(send, scanId, options.pause ?? sleep), waiting)
  return { ...Object.fromEntries(calls), send, scanAsync, wait } as unknown as Client
}

const followed = (
  send: (operation: string, input: Loose) => Promise<Response>,
  scanId: string,
  pause: Followed['pause'],
): Followed => ({
  pause,
  open(lastId, signal) {
    const headers = { accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) }
    return send('GET /api/v1/scans/{scanId}/events', { params: { scanId }, headers, ...(signal && { signal }) })
  },
  async read(signal) {
    const response = await send('GET /api/v1/scans/{scanId}', { params: { scanId }, ...(signal && { signal }) })
    return ((await response.json()) as { data: Scan | ScanProgress }).data
  },
})

async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '')
  return isJson ? response.json() : response.text()
}

async function sendPatiently(options: ClientOptions, operation: string, input: Loose): Promise<Response> {
  const retries = { ...defaultRetries, ...options.retries }
  const { fetch = globalThis.fetch, pause = sleep, random = Math.random } = options
  const { url, init, isRepeatable } = describeRequest(options, operation, input)
  for (let sent = 1; ; sent++) {
    const attempt = { operation, attempts: sent }
    const outcome = await fetch(url, init).catch((error: unknown) => error)
    if (outcome instanceof Response && outcome.ok) return outcome
    if (input.signal?.aborted) throw input.signal.reason
    const refused = outcome instanceof Response ? describeRefusal(outcome) : unreached
    const wait = waitBefore(retries, { sent, ...refused, isRepeatable, random: random() })
    if (wait === undefined) {
      if (!(outcome instanceof Response))
        throw new AssayError('The service cannot be reached.', { cause: outcome }, attempt)
      throw new AssayError(await readWords(outcome), refused, attempt)
    }
    // The connection is free again only when the body was read.
    if (outcome instanceof Response) await outcome.arrayBuffer().catch(() => undefined)
    await pause(wait, input.signal)
  }
}

const unreached: Refused = { status: 0, requestId: null, retryAfterSeconds: null }

function describeRequest({ baseUrl, apiKey, token }: ClientOptions, operation: string, input: Loose) {
  const [method = 'GET', template = '/'] = operation.split(' ')
  const takesKey = idempotentOperations.has(operation)
  const idempotencyKey = input.idempotencyKey ?? (takesKey ? crypto.randomUUID() : undefined)
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(apiKey ? { 'x-api-key': apiKey } : {}),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    ...input.headers,
  }
  const { body } = input
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json'
  const init: RequestInit = {
    method,
    headers,
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(input.signal ? { signal: input.signal } : {}),
  }
  const url = baseUrl.replace(/\/+$/, '') + fillPath(template, input.params) + queryString(input.query)
  return { url, init, isRepeatable: method === 'GET' || idempotencyKey !== undefined }
}

const fillPath = (template: string, params: Loose['params'] = {}): string =>
  template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

function queryString(query: Loose['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text && `?${text}`
}

function describeRefusal({ status, headers }: Response): Refused {
  const after = headers.get('retry-after')
  const seconds = after === null ? Number.NaN : Number(after)
  return {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  }
}

async function readWords(response: Response): Promise<string> {
  const fallback = `The service answered ${response.status}.`
  const body = (await response.json().catch(() => undefined)) as { error?: string } | undefined
  return body?.error ?? fallback
}

const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
