import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressGuard } from './address-guard.ts'

/**
 * Posts to addresses that strangers chose. The name is resolved once, every answer is checked, and the connection can
 * only go to the addresses that were checked: the socket's own look-up is replaced by the vetted list, so a name server
 * that answers differently the second time is never asked a second time.
 */
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

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface WebhookSenderOptions {
  readonly guard: AddressGuard
  /** Plain http, for loopback names only: for trying things out. */
  readonly isPlainLoopbackAllowed: boolean
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>
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
const resolveTimeoutMs = 5_000
/** What a receiver says beyond its status is of no use to us: read so far for politeness, kept nowhere. */
const maxResponseBytes = 64 * 1024
const maxUrlLength = 2_048

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const resolve = options.resolve ?? ((hostname: string) => systemLookup(hostname, { all: true, verbatim: true }))
  const settings = { timeoutMs: defaultTimeoutMs, connectTimeoutMs: defaultConnectTimeoutMs, ...options, resolve }
  return {
    findProblem: (url) => findProblem(settings, url),
    post: (message) => post(settings, message),
  }
}

type Settings = WebhookSenderOptions &
  Required<Pick<WebhookSenderOptions, 'resolve' | 'timeoutMs' | 'connectTimeoutMs'>>

async function findProblem(settings: Settings, text: string): Promise<string | null> {
  const parsed = parseUrl(settings, text)
  if ('problem' in parsed) return parsed.problem
  const vetted = await vet(settings, parsed.url)
  // A name that does not resolve today may tomorrow; it is checked again at every delivery.
  return vetted.kind === 'refused' ? vetted.reason : null
}

function parseUrl(settings: Settings, text: string): { url: URL } | { problem: string } {
  if (text.length > maxUrlLength) return { problem: `must have at most ${maxUrlLength} characters.` }
  if (!URL.canParse(text)) return { problem: 'must be an absolute https address.' }
  const url = new URL(text)
  if (url.username || url.password) return { problem: 'must not contain a user name or password.' }
  if (url.hash) return { problem: 'must not contain a fragment.' }
  if (url.protocol === 'https:') return { url }
  if (url.protocol === 'http:' && settings.isPlainLoopbackAllowed && isLoopbackName(hostOf(url))) return { url }
  return { problem: 'must use https.' }
}

type Vetted =
  | { readonly kind: 'ok'; readonly addresses: readonly ResolvedAddress[] }
  | { readonly kind: 'refused' | 'unresolved'; readonly reason: string }

const privateReason = 'must not lead to a private, loopback, link-local or reserved address.'

async function vet(settings: Settings, url: URL): Promise<Vetted> {
  const host = hostOf(url)
  const literal = isIP(host)
  // RFC 6761: this machine, also where no name server says so.
  if (isLoopbackName(host) && !settings.guard.isAllowed('127.0.0.1')) return { kind: 'refused', reason: privateReason }
  const addresses = literal ? [{ address: host, family: literal }] : await resolveInTime(settings, host)
  if (!addresses || addresses.length === 0) return { kind: 'unresolved', reason: 'the name does not resolve' }
  const isAllowed = addresses.every(({ address }) => settings.guard.isAllowed(address))
  return isAllowed ? { kind: 'ok', addresses } : { kind: 'refused', reason: privateReason }
}

async function resolveInTime(settings: Settings, host: string): Promise<readonly ResolvedAddress[] | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, resolveTimeoutMs, null)
  })
  try {
    return await Promise.race([settings.resolve(host), late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

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

/** Answers every question with the addresses that were checked. */
export function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const wanted = addresses.filter(({ family }) => !options.family || family === options.family)
    const [first] = wanted
    if (!first) callback(Object.assign(new Error('no vetted address of this family'), { code: 'ENOTFOUND' }), '', 0)
    else if (options.all) callback(null, [...wanted])
    else callback(null, first.address, first.family)
  }
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
