import { z } from 'zod'
import { scopes } from '../core/scopes.ts'
import { label, timestamp } from './fields.ts'

export const keyType = z.enum(['PRODUCTION', 'TEST'])

export const keyScope = z.enum(scopes)

/** What its maker may choose of a key, now and later. */
export const keyChoices = {
  scopes: z
    .array(keyScope)
    .min(1)
    .optional()
    .meta({
      description: '`scan`: scans; `read`: whatever a GET gives; `manage`: findings, deletions, webhooks, the plan.',
      example: ['scan', 'read'],
    }),
  requestsPerHour: ownLimit('Requests of this key in an hour'),
  scansPerDay: ownLimit('Scans of this key on a day'),
}

function ownLimit(what: string) {
  return z
    .number()
    .int({ error: 'must be a whole number' })
    .min(1)
    .nullable()
    .optional()
    .meta({ description: `${what}, at most as many as the account has; null: as many.` })
}

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
    scopes: z.array(keyScope),
    requestsPerHour: z.int().nullable().meta({ description: 'Its own limit; null: that of the account alone.' }),
    scansPerDay: z.int().nullable().meta({ description: 'Its own limit; null: that of the account alone.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const keyName = label.meta({ description: 'A label, such as the environment it is for.', example: 'ci' })

/** A key as listings show it, with the value left out of examples. */
export const exampleListed = {
  name: 'ci',
  status: 'ACTIVE',
  scopes: ['scan', 'read'],
  requestsPerHour: null,
  scansPerDay: 50,
  createdAt: '2026-03-10T12:00:00.000Z',
  lastUsedAt: null,
} as const

export const exampleKey = {
  id: 'key_8m2x4c6v0b1n3t5q7w9e2r4y6k',
  keyValue: '<API_KEY>',
  type: 'PRODUCTION',
  expiresAt: '2027-04-10T12:00:00.000Z',
} as const
