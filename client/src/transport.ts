import { AssayConnectionError, AssayError, AssayTimeoutError, type Attempt, type Refused } from './assay-error.ts'
import { type ErrorCode, idempotentOperations } from './generated.ts'
import type { RequestOptions } from './request-options.ts'
import { defaultRetries, type Retries, readRetryAfter, waitBefore } from './retries.ts'
import { version } from './version.ts'

export interface ClientOptions {
  /** `https://assay.example.com` */
  readonly baseUrl: string
  /** Sent as `X-API-Key`. */
  readonly apiKey?: string
  /** The token from `account.logIn`, sent as a Bearer token, for operations of the account. */
  readonly token?: string
  /** Id of the organization to act for, with a token. */
  readonly organisation?: string
  /** How long one attempt may take, in milliseconds; 0: as long as it takes. */
  readonly timeoutMs?: number
  readonly retries?: Partial<Retries>
  /** Named in `User-Agent` beside the client: `my-app/1.2`. Browsers send their own. */
  readonly appName?: string
  /** Hears of each wait before a request is sent again, and of its end (`null`). */
  readonly onWait?: (wait: { readonly milliseconds: number; readonly status: number } | null) => void
  readonly credentials?: NonNullable<RequestInit['credentials']>
  /** Instead of the global one. */
  readonly fetch?: typeof fetch
  /** For tests. */
  readonly pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly random?: () => number
  readonly now?: () => number
}

export interface TransportInput extends RequestOptions {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/** Sends an operation (`GET /api/v1/scans/{scanId}`), again where that helps; gives an answer that is ok, or throws. */
export type Send = (operation: string, input?: TransportInput) => Promise<Response>

/** A scan that is waited for takes up to half a minute of work, and may wait for its turn before that. */
const defaultTimeoutMs = 120_000

export function createTransport(options: ClientOptions): Send {
  return async (operation, input = {}) => {
    const retries = { ...defaultRetries, ...options.retries }
    const { pause = sleep, random = Math.random, now = Date.now } = options
    const request = describeRequest(options, operation, input)
    for (let sent = 1; ; sent++) {
      const attempt = { operation, attempts: sent }
      const outcome = await sendOnce(options, request, input)
      if (outcome instanceof Response && outcome.ok) return outcome
      if (input.signal?.aborted) throw input.signal.reason
      const status = outcome instanceof Response ? outcome.status : 0
      const retryAfterSeconds =
        outcome instanceof Response ? readRetryAfter(outcome.headers.get('retry-after'), now()) : null
      const { isRepeatable } = request
      const wait = waitBefore(retries, { sent, status, retryAfterSeconds, isRepeatable, random: random() })
      if (wait === undefined)
        throw outcome instanceof Response
          ? await readRefusal(outcome, retryAfterSeconds, attempt)
          : describeSilence(outcome, attempt)
      // The connection is free again only when the body was read.
      if (outcome instanceof Response) await outcome.arrayBuffer().catch(() => undefined)
      options.onWait?.({ milliseconds: wait, status })
      try {
        await pause(wait, input.signal)
      } finally {
        options.onWait?.(null)
      }
    }
  }
}

interface Prepared {
  readonly url: string
  readonly init: RequestInit
  readonly isRepeatable: boolean
}

/** An answer, or why there is none. The limit holds until the answer begins: what it holds may be a stream. */
async function sendOnce(options: ClientOptions, { url, init }: Prepared, input: TransportInput): Promise<unknown> {
  const { fetch = globalThis.fetch } = options
  const timeoutMs = input.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(input.signal?.reason)
  if (input.signal?.aborted) onAbort()
  input.signal?.addEventListener('abort', onAbort, { once: true })
  const timer = timeoutMs > 0 ? setTimeout(() => stop.abort(new TimedOut(timeoutMs)), timeoutMs) : undefined
  try {
    return await fetch(url, { ...init, signal: stop.signal })
  } catch (error) {
    return stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(timer)
    // After the answer began the caller's signal still ends the stream, through the same controller.
    if (stop.signal.aborted) input.signal?.removeEventListener('abort', onAbort)
  }
}

class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds / 1000} s.`)
  }
}

const describeSilence = (cause: unknown, attempt: Attempt): AssayError =>
  cause instanceof TimedOut
    ? new AssayTimeoutError(cause.message, { cause }, attempt)
    : new AssayConnectionError('The service cannot be reached.', { cause }, attempt)

function describeRequest(options: ClientOptions, operation: string, input: TransportInput): Prepared {
  const [method = 'GET', template = '/'] = operation.split(' ')
  const takesKey = idempotentOperations.has(operation)
  const idempotencyKey = input.idempotencyKey ?? (takesKey ? crypto.randomUUID() : undefined)
  const { body } = input
  const isForm = typeof FormData !== 'undefined' && body instanceof FormData
  const headers: Record<string, string> = {
    // The second asks for refusals with a stable name.
    accept: 'application/json, application/problem+json',
    ...(isBrowser ? {} : { 'user-agent': userAgent(options.appName) }),
    ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}),
    ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
    ...(options.organisation ? { 'x-organisation': options.organisation } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
    ...input.headers,
  }
  const init: RequestInit = {
    method,
    headers,
    ...(options.credentials ? { credentials: options.credentials } : {}),
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  }
  const url = options.baseUrl.replace(/\/+$/, '') + fillPath(template, input.params) + queryString(input.query)
  return { url, init, isRepeatable: method === 'GET' || method === 'DELETE' || idempotencyKey !== undefined }
}

const isBrowser = 'document' in globalThis

const userAgent = (appName: string | undefined): string =>
  [`assay-client/${version}`, ...(appName ? [appName] : [])].join(' ')

export const fillPath = (template: string, params: TransportInput['params'] = {}): string =>
  template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

/** Several values of one parameter are joined by commas. */
function queryString(query: TransportInput['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text && `?${text}`
}

interface ErrorBody {
  readonly error?: string
  readonly type?: string
  readonly detail?: string
  readonly pointer?: string
}

async function readRefusal(
  response: Response,
  retryAfterSeconds: number | null,
  attempt: Attempt,
): Promise<AssayError> {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  const refused: Refused = {
    status: response.status,
    code: (body?.type?.startsWith('/problems/') ? body.type.slice('/problems/'.length) : null) as ErrorCode | null,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds,
    pointer: body?.pointer ?? null,
  }
  return new AssayError(body?.detail ?? body?.error ?? `The service answered ${response.status}.`, refused, attempt)
}

/** The body of an answer: JSON as what it holds, anything else as text. */
export async function readAnswer(response: Response, attempt: Attempt): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    const requestId = response.headers.get('x-request-id')
    throw new AssayError(
      'The answer of the service is not valid JSON.',
      { status: response.status, requestId, cause },
      attempt,
    )
  }
}

export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
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
