import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { type AiAnswer, type AiUsage, readAnswer, readErrorBody, readText } from './ai-answer.ts'

/** What the caller of the gateway must know to answer its own caller; `detail` is for operators and holds no payload. */
export type AiFailure =
  | { readonly kind: 'keyRejected' | 'noCredit' | 'unknownModel' | 'tooLong' | 'moderated'; readonly detail: string }
  | { readonly kind: 'throttled'; readonly detail: string; readonly retryAfterSeconds: number }
  | { readonly kind: 'timeout' | 'unusable' | 'cancelled'; readonly detail: string }

export type AiResult =
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly model: string | null
      readonly usage: AiUsage | null
      readonly attempts: number
    }
  | AiFailure

export interface AiRequest {
  /** The caller's own key: used for the Authorization header of this request and nothing else. */
  readonly key: string
  readonly model: string
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[]
  readonly schema: { readonly name: string; readonly schema: object }
  readonly maxTokens: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly attempt: number; readonly receivedCharacters: number }) => void
}

export interface AiGateway {
  complete(request: AiRequest): Promise<AiResult>
}

export interface AiGatewayOptions {
  readonly baseUrl: string
  readonly totalTimeoutMs: number
  readonly random: () => number
  readonly firstTokenTimeoutMs?: number
  readonly maxResponseBytes?: number
  /** Base delays before the first and second retry; each is stretched by up to half at random. */
  readonly retryDelaysMs?: readonly number[]
}

const defaults = { firstTokenTimeoutMs: 60_000, maxResponseBytes: 4 * 1024 * 1024, retryDelaysMs: [500, 2_000] }

/** A Retry-After beyond this is the caller's to wait for, not a reason to hold a connection open. */
const longestWaitMs = 10_000

export function createAiGateway(options: AiGatewayOptions): AiGateway {
  const settings = { ...defaults, ...options }
  return { complete: (request) => complete(settings, request) }
}

type Settings = Required<AiGatewayOptions>

/** How much of the structured-output machinery a try asks for; each is weaker than the one before. */
type Strictness = 'required' | 'preferred' | 'plain'

interface Try {
  readonly answer: AiAnswer
  readonly retryAfterSeconds: number | null
}

async function complete(settings: Settings, request: AiRequest): Promise<AiResult> {
  const deadline = AbortSignal.timeout(settings.totalTimeoutMs)
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
  let strictness: Strictness = 'required'
  let retries = 0
  for (let attempt = 1; ; attempt++) {
    const tried = await tryOnce(settings, request, strictness, attempt, signal)
    const { answer } = tried
    if (answer.kind === 'text') {
      return { kind: 'answer', text: answer.text, model: answer.model, usage: answer.usage, attempts: attempt }
    }
    if (request.signal?.aborted) return { kind: 'cancelled', detail: 'the caller went away' }
    if (deadline.aborted) return { kind: 'timeout', detail: 'total deadline' }

    const weaker: Strictness | null = strictness === 'required' ? fallbackFor(answer) : null
    if (weaker) {
      strictness = weaker
      continue
    }
    const failure = classify(answer, tried.retryAfterSeconds)
    const wait = waitBeforeRetry(settings, answer, tried.retryAfterSeconds, retries)
    if (wait === null) return failure
    retries++
    const isStillOn = await delay(wait, true, { signal }).catch(() => false)
    if (!isStillOn) return request.signal?.aborted ? { kind: 'cancelled', detail: 'the caller went away' } : failure
  }
}

async function tryOnce(
  settings: Settings,
  request: AiRequest,
  strictness: Strictness,
  attempt: number,
  signal: AbortSignal,
): Promise<Try> {
  const firstToken = new AbortController()
  const timer = setTimeout(() => firstToken.abort(), settings.firstTokenTimeoutMs)
  const both = AbortSignal.any([signal, firstToken.signal])
  try {
    const response = await post(new URL(`${settings.baseUrl.replace(/\/+$/, '')}/chat/completions`), {
      headers: {
        authorization: `Bearer ${request.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
      },
      body: JSON.stringify(requestBody(request, strictness)),
      signal: both,
    })
    const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
    if (response.status !== 200) {
      const text = (await readText(response, 64 * 1024)) ?? ''
      return { answer: readErrorBody(text, response.status), retryAfterSeconds }
    }
    const answer = await readAnswer(response, {
      maxBytes: settings.maxResponseBytes,
      onText: (receivedCharacters) => {
        clearTimeout(timer)
        request.onProgress?.({ attempt, receivedCharacters })
      },
    })
    await response.body?.cancel().catch(() => {})
    return { answer, retryAfterSeconds }
  } catch (cause) {
    return { answer: networkFault(cause, firstToken.signal.aborted), retryAfterSeconds: null }
  } finally {
    clearTimeout(timer)
  }
}

function requestBody(request: AiRequest, strictness: Strictness): object {
  const provider: Record<string, unknown> = { data_collection: 'deny' }
  if (strictness === 'required') provider.require_parameters = true
  return {
    model: request.model,
    messages: request.messages,
    stream: true,
    temperature: 0,
    max_tokens: request.maxTokens,
    provider,
    ...(strictness !== 'plain' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: request.schema.name, strict: true, schema: request.schema.schema },
      },
    }),
  }
}

/** No endpoint offers every parameter: ask again without insisting. The parameter itself is refused: leave it out. */
function fallbackFor(answer: AiAnswer & { kind: 'fault' }): Strictness | null {
  if (answer.code === 404 && !isUnknownModel(answer) && answer.type !== 'privacy_restricted') return 'preferred'
  const isAboutFormat = /response_format|json_schema|structured[ _-]?output|require_parameters/i.test(answer.message)
  return answer.code === 400 && isAboutFormat ? 'plain' : null
}

const isUnknownModel = ({ type, message }: AiAnswer & { kind: 'fault' }): boolean =>
  type === 'model_not_found' ||
  type === 'model_deprecated' ||
  /not a valid model|no such model|model .{0,120}(not found|does not exist)|unknown model|invalid model/i.test(message)

const isTooLong = ({ type, message }: AiAnswer & { kind: 'fault' }): boolean =>
  type === 'context_length_exceeded' ||
  /context[ _-]length|maximum context|too many tokens|prompt is too long/i.test(message)

function classify(answer: AiAnswer & { kind: 'fault' }, retryAfterSeconds: number | null): AiFailure {
  // Only status and type: a gateway's message may echo the prompt or the key.
  const detail = `${answer.code}${answer.type && /^[\w-]{1,60}$/.test(answer.type) ? ` ${answer.type}` : ''}`
  switch (answer.code) {
    case 400:
      if (isTooLong(answer)) return { kind: 'tooLong', detail }
      return isUnknownModel(answer) ? { kind: 'unknownModel', detail } : { kind: 'unusable', detail }
    case 401:
      return { kind: 'keyRejected', detail }
    case 402:
      return { kind: 'noCredit', detail }
    case 403:
      return { kind: 'moderated', detail }
    case 404:
      return { kind: 'unknownModel', detail }
    case 413:
      return { kind: 'tooLong', detail }
    case 408:
    case 504:
      return { kind: 'timeout', detail }
    case 429:
      return { kind: 'throttled', detail, retryAfterSeconds: retryAfterSeconds ?? 30 }
    default:
      if (isTooLong(answer)) return { kind: 'tooLong', detail }
      return { kind: 'unusable', detail }
  }
}

const retryable = new Set([408, 429, 500, 502, 503, 504])
const neverBetter = new Set(['too_large', 'length', 'context_length_exceeded'])

function waitBeforeRetry(
  settings: Settings,
  answer: AiAnswer & { kind: 'fault' },
  retryAfterSeconds: number | null,
  retries: number,
): number | null {
  const base = settings.retryDelaysMs[retries]
  if (base === undefined || !retryable.has(answer.code)) return null
  if ((answer.type && neverBetter.has(answer.type)) || isTooLong(answer)) return null
  // A slow answer has already cost most of the deadline: one more try at most.
  if ((answer.code === 408 || answer.code === 504) && retries > 0) return null
  const wait = Math.max(base * (1 + settings.random() / 2), (retryAfterSeconds ?? 0) * 1000)
  return wait > longestWaitMs ? null : wait
}

/**
 * One request on a connection of its own, which follows no redirect: the key must not travel to wherever it points. The built-in `fetch` shares
 * connections, and after a request that hung it opens the next one at once: anyone who came then would hang on it too.
 */
function post(
  url: URL,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Response> {
  const { request } = url.protocol === 'https:' ? https : http
  const all = { ...headers, 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: all, agent: false, signal }, (answer) => {
      const { statusCode: status = 502 } = answer
      const text = hasNoBody.has(status) ? null : (Readable.toWeb(answer) as ReadableStream)
      resolve(new Response(text, { status, headers: headersOf(answer) }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const hasNoBody = new Set([204, 205, 304])

const headersOf = ({ headers }: http.IncomingMessage): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))

function networkFault(cause: unknown, isFirstTokenLate: boolean): AiAnswer {
  const name = cause instanceof Error ? cause.name : ''
  const { code } = cause as { code?: unknown }
  const isLate = isFirstTokenLate || name === 'TimeoutError' || code === 'ETIMEDOUT'
  return { kind: 'fault', code: isLate ? 504 : 502, type: isLate ? 'timeout' : 'connection', message: '' }
}

/** Seconds only: an HTTP date would need a clock, and gateways of this kind send seconds. */
function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? Math.min(Math.ceil(seconds), 86_400) : null
}
