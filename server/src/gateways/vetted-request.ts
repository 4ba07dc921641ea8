import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pinnedLookup, type ResolvedAddress } from './vetted-address.ts'

/** One request to addresses that were checked; nothing beyond `maxBytes` of the answer is ever kept. */
export interface VettedRequest {
  readonly method?: 'GET' | 'POST'
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Further certificate authorities to trust, in PEM. */
  readonly ca?: string | undefined
}

export type VettedAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: IncomingMessage['headers']
      readonly bytes: Buffer
    }
  | { readonly kind: 'too-large' }

export function sendVetted({ method = 'GET', url, addresses, headers, body, signal, maxBytes, ca }: VettedRequest) {
  const options: RequestOptions = {
    method,
    headers: { 'accept-encoding': 'identity', 'user-agent': 'assay', ...headers, connection: 'close' },
    lookup: pinnedLookup(addresses),
    // A pooled connection could have been opened to another address; a proxy would resolve the name by itself.
    agent: false,
    signal,
    ...(ca && { ca }),
  }
  return new Promise<VettedAnswer>((resolve, reject) => {
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
    request.end(body)
  })
}
