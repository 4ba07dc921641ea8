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

export const passkeyQuestion = z.object({
  challenge: z.string(),
  options: z.looseObject({}).meta({ description: 'For `navigator.credentials`, in the JSON form of WebAuthn.' }),
  expiresAt: timestamp,
})
