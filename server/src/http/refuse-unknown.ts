import { refusalOf } from '../core/errors.ts'
import type { Route } from './define-route.ts'

type Described = Pick<Route, 'access'> & {
  readonly query?: Route['query'] | undefined
  readonly body?: Route['body'] | undefined
}

/** Whether a request can be refused for what the route does not know. */
export const refusesUnknown = ({ access, query, body }: Described): boolean =>
  access !== 'public' || query !== undefined || body !== undefined

/**
 * A misspelt filter would list everything, and a misspelt field would do what nobody requested. Pages that anyone opens keep what other
 * programs add to their addresses.
 */
export function refuseUnknown(route: Described, query: unknown, body: unknown): void {
  if (!refusesUnknown(route)) return
  const named = route.access === 'session' ? ['userId'] : []
  refuseOthers('parameter', query, [...(fieldsOf(route.query) ?? []), ...named])
  const fields = fieldsOf(route.body)
  if (fields) refuseOthers('field', body, [...fields, ...named])
}

/** Undefined: not an object of known fields. */
function fieldsOf(schema: unknown): string[] | undefined {
  const { shape } = (schema ?? {}) as { shape?: object }
  return shape && Object.keys(shape)
}

function refuseOthers(kind: 'parameter' | 'field', given: unknown, allowed: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return
  // Clients of the interface name the account wherever they are.
  const unknown = Object.keys(given).find((name) => name !== 'userId' && !allowed.includes(name))
  if (unknown === undefined) return
  const rest = allowed.length > 0 ? `Allowed: ${[...new Set(allowed)].join(', ')}.` : `There are no ${kind}s.`
  const refusal = refusalOf('invalid', `Unknown ${kind}: ${printable(unknown)}. ${rest}`)
  refusal.place = kind === 'field' ? { pointer: `/${printable(unknown)}` } : { parameter: printable(unknown) }
  throw refusal
}

const printable = (name: string): string => name.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)
