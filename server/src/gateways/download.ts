import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressRules, parseUrl, pinnedLookup, type ResolvedAddress, vet } from './vetted-address.ts'

/**
 * Fetches what lies at an address that an operator chose and outsiders complete. Each hop of a redirect is held to the same rules as the
 * first address; nothing beyond the limit is ever kept; a credential goes to the host it is meant for and no further.
 */
export type Download = (request: DownloadRequest) => Promise<DownloadOutcome>

export interface DownloadRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent to the first host only. */
  readonly authorization?: string | undefined
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export type DownloadOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'timeout' }
  /** A code or a few words for the log, never what the other side wrote. */
  | { readonly kind: 'failed'; readonly reason: string }

type Headers = IncomingMessage['headers']

export interface DownloadOptions extends AddressRules {
  /** For all hops together. */
  readonly timeoutMs: number
  /** Further certificate authorities to trust, in PEM. */
  readonly ca?: string | undefined
}

const MAX_HOPS = 5
const redirects = new Set([301, 302, 303, 307, 308])

export function createDownload(options: DownloadOptions): Download {
  return async (request) => {
    const late = AbortSignal.timeout(options.timeoutMs)
    const signal = request.signal ? AbortSignal.any([late, request.signal]) : late
    try {
      return await follow(options, request, signal)
    } catch (error) {
      return late.aborted ? { kind: 'timeout' } : { kind: 'failed', reason: codeOf(error) }
    }
  }
}

async function follow(
  options: DownloadOptions,
  request: DownloadRequest,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  let next = request.url
  const firstHost = URL.canParse(next) ? new URL(next).host : ''
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const parsed = parseUrl(options, next)
    if ('problem' in parsed) return { kind: 'failed', reason: `address ${parsed.problem}` }
    const vetted = await vet(options, parsed.url)
    if (vetted.kind !== 'ok') return { kind: 'failed', reason: `address ${vetted.reason}` }
    const isFirstHost = parsed.url.host === firstHost
    const headers = {
      ...request.headers,
      ...(request.authorization && isFirstHost && { authorization: request.authorization }),
    }
    const answer = await get(
      options,
      { url: parsed.url, addresses: vetted.addresses, headers, signal },
      request.maxBytes,
    )
    const location = answer.kind === 'answered' && redirects.has(answer.status) ? answer.headers.location : undefined
    if (location === undefined) return answer
    if (!URL.canParse(location, parsed.url.href)) return { kind: 'failed', reason: 'redirected to no address' }
    next = new URL(location, parsed.url.href).href
  }
  return { kind: 'failed', reason: 'redirected too often' }
}

interface Hop {
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

function get({ ca }: DownloadOptions, { url, addresses, headers, signal }: Hop, maxBytes: number) {
  const options: RequestOptions = {
    method: 'GET',
    headers: { 'accept-encoding': 'identity', 'user-agent': 'assay', ...headers, connection: 'close' },
    lookup: pinnedLookup(addresses),
    // A pooled connection could have been opened to another address; a proxy would resolve the name by itself.
    agent: false,
    signal,
    ...(ca && { ca }),
  }
  return new Promise<DownloadOutcome>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = []
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received <= maxBytes) return void chunks.push(chunk)
        resolve({ kind: 'too-large' })
        request.destroy()
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ kind: 'answered', status, headers, bytes: Buffer.concat(chunks) })
      })
    })
    request.on('error', reject)
    request.end()
  })
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? code : 'connection failed'
}
