import type { WebhookEvent } from './generated.ts'

/** A delivery that is not what it claims to be. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** How far the time of a delivery may lie from now, in seconds; older ones may be replays. */
  readonly toleranceSeconds?: number
  /** For tests. */
  readonly now?: () => number
}

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks the signature of a delivery by Standard Webhooks 1.0.0 and gives its event. `body` is the request's body exactly as it came;
 * parsed and written again it has another signature. `secret` is one `whsec_…`, or several.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!/^\d+$/.test(timestamp) || Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The delivery is too old or its timestamp is wrong.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const one of secrets)
    for (const signature of signatures)
      if (signature.startsWith('v1,') && (await isSignedBy(one, signature.slice(3), signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  throw new WebhookVerificationError('No signature of the delivery matches the secret.')
}

function headerOf(headers: HeaderBag, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findHeader(headers, name)
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

const isHeaders = (headers: HeaderBag): headers is Headers => typeof (headers as Headers).get === 'function'

function findHeader(headers: Exclude<HeaderBag, Headers>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.[0]
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

async function isSignedBy(secret: string, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', decode(secret.replace(/^whsec_/, '')), algorithm, false, ['verify'])
  try {
    // Compares in constant time.
    return await crypto.subtle.verify('HMAC', key, decode(signature), signed)
  } catch {
    return false
  }
}

const decode = (base64: string): Uint8Array<ArrayBuffer> => {
  let text: string
  try {
    text = atob(base64)
  } catch {
    return new Uint8Array(1)
  }
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
