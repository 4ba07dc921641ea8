import { z } from 'zod'
import { timestamp } from './fields.ts'

/** Asked anew before the way to log in is changed. */
export const currentPassword = z
  .string()
  .min(1)
  .max(1024)
  .meta({ format: 'password', description: 'The password of the account, once more.' })

export const challenge = z.string().max(200).meta({ description: 'From the answer before.' })

/** What the browser's `PublicKeyCredential.toJSON()` gives; its content is checked by its signature. */
export const passkeyResponse = z
  .looseObject({ id: z.string().max(2048), response: z.looseObject({}) })
  .meta({ description: 'What `navigator.credentials` gave, in the JSON form of WebAuthn.' })

export const recoveryCodes = z
  .array(z.string())
  .meta({ description: 'Each works once, in place of a second factor. Shown this once.' })

export const exampleRecoveryCodes = ['k7m2-9xqd', 'p4rt-3vbn', 'z8wc-6hjf'] as const

export const examplePasskeyQuestion = {
  challenge: 'lch_4t6y8u0i2o4p6a8s0d2f4g6h8j',
  options: { challenge: 'q1w3e5r7t9y2u4i6', rpId: 'assay.example.com', userVerification: 'preferred' },
  expiresAt: '2026-03-10T12:05:00.000Z',
} as const

export const passkeyQuestion = z.object({
  challenge: z.string(),
  options: z.looseObject({}).meta({ description: 'For `navigator.credentials`, in the JSON form of WebAuthn.' }),
  expiresAt: timestamp,
})
