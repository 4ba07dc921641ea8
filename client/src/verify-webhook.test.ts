import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ type: 'scan.completed', scanId: 'scn_1', status: 'completed', note: 'ü' })
const now = () => 1_800_000_000_000
const timestamp = '1800000000'

const sign = (key: string, text = body): string =>
  `v1,${createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    .update(`msg_1.${timestamp}.${text}`)
    .digest('base64')}`

const headers = (signature: string) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': signature,
})

test('a delivery signed with the secret is its event, as text or bytes, by headers of any kind', async () => {
  const signed = headers(sign(secret))
  expect(await verifyWebhook(body, signed, secret, { now })).toMatchObject({ scanId: 'scn_1' })
  expect(await verifyWebhook(Buffer.from(body), new Headers(signed), secret, { now })).toMatchObject({
    scanId: 'scn_1',
  })
  expect(await verifyWebhook(body, { ...signed, 'Webhook-Id': 'msg_1' }, secret, { now })).toBeDefined()
})

test('while a secret is rotated either of two signatures and secrets will do', async () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`
  const both = headers(`${sign(other)} ${sign(secret)}`)
  expect(await verifyWebhook(body, both, secret, { now })).toBeDefined()
  expect(await verifyWebhook(body, headers(sign(other)), [secret, other], { now })).toBeDefined()
})

test.each([
  ['another body', `${body} `, headers(sign(secret)), 'No signature'],
  ['another secret', body, headers(sign(`whsec_${'A'.repeat(43)}=`)), 'No signature'],
  ['no signature of a known kind', body, headers('v9,abc'), 'No signature'],
  ['a signature that is no base64', body, headers('v1,%%%'), 'No signature'],
  ['an old delivery', body, { ...headers(sign(secret)), 'webhook-timestamp': '1799990000' }, 'too old'],
  ['no id', body, { ...headers(sign(secret)), 'webhook-id': undefined }, 'webhook-id is missing'],
])('refused: %s', async (_name, text, given, words) => {
  const checked = verifyWebhook(text, given, secret, { now })
  await expect(checked).rejects.toBeInstanceOf(WebhookVerificationError)
  await expect(checked).rejects.toThrow(words)
})
