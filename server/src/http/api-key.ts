import { z } from 'zod'
import { label, timestamp } from './fields.ts'

export const keyType = z.enum(['PRODUCTION', 'TEST'])

/** A key right after it was made. */
export const newApiKey = z
  .object({
    id: z.string(),
    keyValue: z.string().meta({ description: 'The secret itself: keep it out of source code.' }),
    type: keyType,
    expiresAt: timestamp,
  })
  .meta({ id: 'NewApiKey' })

/** A key as listings show it. */
export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    keyValue: z
      .string()
      .meta({ description: 'Empty when it cannot be opened, because the master secret was changed: make a new key.' }),
    type: keyType,
    expiresAt: timestamp,
    status: z.enum(['ACTIVE', 'EXPIRED', 'REVOKED']),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const keyName = label.meta({ description: 'A label, such as the environment it is for.', example: 'ci' })

export const exampleKey = {
  id: 'key_8m2x4c6v0b1n3t5q7w9e2r4y6k',
  keyValue: '<API_KEY>',
  type: 'PRODUCTION',
  expiresAt: '2027-03-10T12:00:00.000Z',
} as const
