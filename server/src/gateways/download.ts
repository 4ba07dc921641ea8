import { type AddressRules, parseUrl, vet } from './vetted-address.ts'
import { sendVetted, type VettedAnswer } from './vetted-request.ts'

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
  | VettedAnswer
  | { readonly kind: 'timeout' }
  /** A code or a few words for the log, never what the other side wrote. */
  | { readonly kind: 'failed'; readonly reason: string }

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
    const { maxBytes } = request
    const { addresses } = vetted
    const answer = await sendVetted({ url: parsed.url, addresses, headers, signal, maxBytes, ca: options.ca })
    const location = answer.kind === 'answered' && redirects.has(answer.status) ? answer.headers.location : undefined
    if (location === undefined) return answer
    if (!URL.canParse(location, parsed.url.href)) return { kind: 'failed', reason: 'redirected to no address' }
    next = new URL(location, parsed.url.href).href
  }
  return { kind: 'failed', reason: 'redirected too often' }
}

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? code : 'connection failed'
}
