import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../core/errors.ts'

/** What every list says of itself beside its items. */
export const pageFields = {
  total: z.int().describe('How many there are on all pages; more than 100,000 are not counted.'),
  nextCursor: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
}

/** Of a list that is short by nature: all of it fits on one page, unless a smaller one is requested. */
export const shortPageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(200).optional().meta({ description: 'The nextCursor of the page before.' }),
})

const PURPOSE = 'list:'

/** One page of a list that is there as a whole. */
export function pageOf<T>(
  items: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): { readonly items: readonly T[]; readonly total: number; readonly nextCursor: string | null } {
  const from = cursor === undefined ? 0 : readPosition(cursor)
  const isMore = from + limit < items.length
  const nextCursor = isMore ? Buffer.from(PURPOSE + (from + limit)).toString('base64url') : null
  return { items: items.slice(from, from + limit), total: items.length, nextCursor }
}

function readPosition(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  const digits = text.slice(PURPOSE.length)
  if (!text.startsWith(PURPOSE) || !/^\d{1,9}$/.test(digits))
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  return Number(digits)
}

/** Where the next page is, for clients that follow links. */
export function linkNextPage(
  request: FastifyRequest,
  reply: FastifyReply,
  nextCursor: string | null | undefined,
): void {
  if (!nextCursor) return
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', nextCursor)
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}

/** Schemas of parameters that take several values, by what one of them is. */
const severalOf = new WeakMap<object, z.ZodType>()

/** One value, or several: separated by commas, or the parameter repeated. */
export function several<T extends z.ZodType<unknown, string>>(one: T) {
  const schema = z
    .union([z.string().max(1000), z.array(z.string().max(1000))])
    .transform((given) => [given].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(one).max(50))
  severalOf.set(schema, one)
  return schema
}

export const valueOfSeveral = (schema: object): z.ZodType | undefined => severalOf.get(schema)
