import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressRules, parseUrl, pinnedLookup, type ResolvedAddress, vet } from './vetted-address.ts'

/** Posts to addresses that outsiders chose, as far as the rules allow. */
export interface WebhookSender {
  /** Null when the url may be registered; otherwise the reason, in words that follow "url". */
  findProblem(url: string): Promise<string | null>
  post(message: WebhookMessage): Promise<WebhookOutcome>
}

export interface WebhookMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly durationMs: number }

export interface WebhookSenderOptions extends AddressRules {
  /** Milliseconds that only ever grow; for durations. */
  readonly elapsed: () => number
  readonly timeoutMs?: number
  /** Until the connection stands. */
  readonly connectTimeoutMs?: number
  /** Further certificate authorities to trust, in PEM. */
  readonly ca?: string
}

const defaultTimeoutMs = 15_000
/** A receiver that is there takes a connection at once; only its answer may take a while. */
const defaultConnectTimeoutMs = 4_000
/** What a receiver says beyond its status is of no use to us: read so far for politeness, kept nowhere. */
const maxResponseBytes = 64 * 1024

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const settings = { timeoutMs: defaultTimeoutMs, connectTimeoutMs: defaultConnectTimeoutMs, ...options }
  return {
    findProblem: (url) => findProblem(settings, url),
    post: (message) => post(settings, message),
  }
}

type Settings = WebhookSenderOptions & Required<Pick<WebhookSenderOptions, 'timeoutMs' | 'connectTimeoutMs'>>

async function findProblem(settings: Settings, text: string): Promise<string | null> {
  const parsed = parseUrl(settings, text)
  if ('problem' in parsed) return parsed.problem
  const vetted = await vet(settings, parsed.url)
  // A name that does not resolve today may tomorrow; it is checked again at every delivery.
  return vetted.kind === 'refused' ? vetted.reason : null
}

async function post(settings: Settings, message: WebhookMessage): Promise<WebhookOutcome> {
  const startedAt = settings.elapsed()
  const durationMs = () => Math.round(settings.elapsed() - startedAt)
  const parsed = parseUrl(settings, message.url)
  if ('problem' in parsed) return { kind: 'refused', reason: parsed.problem, durationMs: durationMs() }
  const vetted = await vet(settings, parsed.url)
  if (vetted.kind === 'refused') return { kind: 'refused', reason: vetted.reason, durationMs: durationMs() }
  if (vetted.kind !== 'ok') return { kind: 'failed', reason: vetted.reason, durationMs: durationMs() }
  try {
    const status = await exchange(settings, parsed.url, vetted.addresses, message)
    return { kind: 'answered', status, durationMs: durationMs() }
  } catch (error) {
    return { kind: 'failed', reason: describe(error), durationMs: durationMs() }
  }
}

function exchange(
  settings: Settings,
  url: URL,
  addresses: readonly ResolvedAddress[],
  { headers, body }: WebhookMessage,
): Promise<number> {
  const payload = Buffer.from(body)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': payload.length, connection: 'close' },
    lookup: pinnedLookup(addresses),
    // A pooled connection could have been opened to another address; a proxy would resolve the name by itself.
    agent: false,
    signal: AbortSignal.timeout(settings.timeoutMs),
    ...(settings.ca && { ca: settings.ca }),
  }
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, options, (response) => {
      const status = response.statusCode ?? 0
      let received = 0
      const finish = () => {
        resolve(status)
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > maxResponseBytes) finish()
      })
      // The status line has spoken: whatever breaks after it does not turn a 2xx into a failure.
      response.on('end', finish).on('error', finish).on('close', finish)
    })
    request.on('error', reject)
    request.on('socket', (socket) => {
      const timer = setTimeout(() => request.destroy(new ConnectTimeout()), settings.connectTimeoutMs)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer))
      socket.once('close', () => clearTimeout(timer))
    })
    request.end(payload)
  })
}

class ConnectTimeout extends Error {}

/** A short cause for the delivery log: codes only, never what the other side wrote. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'connection failed'
  if (error instanceof ConnectTimeout) return 'no connection in time'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time'
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code)
    ? `connection failed (${code})`
    : 'connection failed'
}
