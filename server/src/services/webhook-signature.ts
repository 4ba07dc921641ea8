import { createHmac } from 'node:crypto'
import { type Randomness, systemRandomness } from '../core/randomness.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** A secret in the form that Standard Webhooks libraries take. */
export const newWebhookSecret = (randomness: Randomness = systemRandomness): string =>
  prefix + randomness.bytes(secretBytes).toString('base64')

export interface SignedHeaders extends Record<string, string> {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** The three headers of Standard Webhooks 1.0.0; one signature for each secret, the current one first. */
export function signWebhook(id: string, at: Date, body: string, secrets: readonly string[]): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
