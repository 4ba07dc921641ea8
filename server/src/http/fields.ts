import { z } from 'zod'

/** Fields that several routes take or give. A message finishes the sentence "<field> …". */

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'must be a valid e-mail address' }))
  .meta({
    description: 'Email address; upper and lower case are the same.',
    format: 'email',
    example: 'ada@example.com',
  })

const characterCount = (text: string): number => [...text].length

/** Counted in characters as a person counts them. No rule but the length. */
export const password = z
  .string()
  .refine((text) => characterCount(text) >= 8, { error: 'must have at least 8 characters' })
  .refine((text) => characterCount(text) <= 128, { error: 'must have at most 128 characters' })
  .meta({
    description: '8 to 128 characters; the most common breached passwords are refused.',
    format: 'password',
    minLength: 8,
    maxLength: 128,
  })

/** A label that a person reads. */
export const label = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })

export const userId = z.string().meta({ description: 'The account, as returned by POST /api/register.' })

export const message = z.string().meta({ description: 'One sentence for a person.' })
export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' })

/** A moment, or a day: its beginning in UTC. */
export const momentText = z.union([z.iso.datetime(), z.iso.date()], {
  error: 'must be a date or an ISO 8601 UTC timestamp',
})

/** The same as epoch milliseconds. */
export const moment = momentText.transform((text) => Date.parse(text))

export const messageOnly = z.object({ message })

/** An id in the path: whatever it is, a wrong one is answered like an unknown one. */
export const idParams = z.object({ id: z.string() })

/** How many, and after which: for lists that are read page by page. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z
    .string()
    .max(1000)
    .regex(/^[\x21-\x7e]+$/, { error: 'must be a nextCursor of an earlier page' })
    .optional()
    .meta({ description: 'The nextCursor of the page before.' }),
})
