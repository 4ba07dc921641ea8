import type { Operations, ResourceCalls, Scan, ScanAccepted, ScanProgress } from './generated.ts'
import type { RequestOptions } from './request-options.ts'
import { createResources } from './resources.ts'
import { type ClientOptions, createTransport, type Send, sleep, type TransportInput } from './transport.ts'
import { verifyWebhook } from './verify-webhook.ts'
import { type Followed, type WaitOptions, waitForScan } from './wait.ts'

type Name = keyof Operations

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

type InputArguments<K extends Name> =
  Record<never, never> extends InputOf<K> ? [input?: InputOf<K>] : [input: InputOf<K>]

/** What the resources hold beyond one method for each operation. */
interface Further {
  readonly scans: {
    /** Queues the scan of an upload instead of waiting for it: answered at once, with its id. */
    queue(input: Parameters<ResourceCalls['scans']['create']>[0], options?: RequestOptions): Promise<ScanAccepted>
    /** Waits for a queued scan, by its events, and gives its result; throws `ScanWithoutResult` when it has none. */
    wait(scanId: string, options?: WaitOptions): Promise<Scan>
  }
  readonly webhooks: {
    /** Checks the signature of a delivery and gives its event. */
    verify: typeof verifyWebhook
  }
}

export type Client = ResourceCalls &
  Further & {
    /** Any operation by its method and path, with status and headers: for limits, `Link`, other formats and streams. */
    send<K extends Name>(operation: K, ...input: InputArguments<K>): Promise<Response>
  }

/** The service as resources: `client.scans.create({ file })`, `client.findings.list({ severity: 'high' })`. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options)
  const resources = createResources(send)
  const pause = options.pause ?? sleep
  const scans: ResourceCalls['scans'] & Further['scans'] = {
    ...resources.scans,
    queue: (input, given = {}) =>
      resources.scans.create(input, {
        ...given,
        headers: { ...given.headers, prefer: 'respond-async' },
      }) as unknown as Promise<ScanAccepted>,
    wait: (scanId, waiting) => waitForScan(followed(send, scanId, pause), waiting),
  }
  const webhooks = { ...resources.webhooks, verify: verifyWebhook }
  return { ...resources, scans, webhooks, send: send as unknown as Client['send'] }
}

const followed = (send: Send, scanId: string, pause: Followed['pause']): Followed => ({
  pause,
  open(lastId, signal) {
    const headers = { accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) }
    return send('GET /api/v1/scans/{scanId}/events', { params: { scanId }, headers, ...given(signal) })
  },
  async read(signal) {
    const response = await send('GET /api/v1/scans/{scanId}', { params: { scanId }, ...given(signal) })
    return ((await response.json()) as { data: Scan | ScanProgress }).data
  },
})

const given = (signal: AbortSignal | undefined): Pick<TransportInput, 'signal'> => (signal ? { signal } : {})
