import { z } from 'zod'
import { timestamp } from './fields.ts'

/** Required again before the way to log in is changed. */
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

export const endOtherSessions = z
  .boolean()
  .default(false)
  .describe('End every other session of the account: they were begun without this factor.')

export const recoveryCodes = z
  .array(z.string())
  .meta({ description: 'Each works once, in place of a second factor. Shown this once.' })

export const exampleRecoveryCodes = ['25bm-559s-wz57-qj6z-98ym-48te', 'pehv-n0ge-11m6-z0r9-y4rj-6x0r'] as const

const exampleChallenge = '5f2c9a0be41d7836c8a15de9034fb67281ce90d45a7b3f16e28c0d947ab5f3e1'

/** For `navigator.credentials.get`. */
export const examplePasskeyQuestion = {
  challenge: exampleChallenge,
  options: {
    challenge: 'q1w3e5r7t9y2u4i6',
    rpId: 'assay.example.com',
    timeout: 300_000,
    userVerification: 'required',
  },
  expiresAt: '2026-03-10T12:05:00.000Z',
} as const

/** For `navigator.credentials.create`. */
export const examplePasskeyOffer = {
  ...examplePasskeyQuestion,
  options: {
    challenge: 'q1w3e5r7t9y2u4i6',
    rp: { name: 'Assay', id: 'assay.example.com' },
    user: { id: 'dXNyXzR2OGsybTB4', name: 'ada@example.com', displayName: 'Ada' },
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  },
} as const

export const passkeyQuestion = z.object({
  challenge: z.string(),
  options: z.looseObject({}).meta({ description: 'For `navigator.credentials`, in the JSON form of WebAuthn.' }),
  expiresAt: timestamp,
})
