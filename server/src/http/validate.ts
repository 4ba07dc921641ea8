import type { z } from 'zod'
import { type ProblemPlace, refusalOf, refuse } from '../core/errors.ts'

type Issue = z.core.$ZodIssue

/** Checks one part of a request; refuses with the first problem, in words that name the field and the rule. */
export function validate<Output>(
  schema: z.ZodType<Output> | undefined,
  value: unknown,
  part: 'body' | 'query' | 'params',
): Output {
  if (!schema) return undefined as Output
  const odd = findNul(value)
  if (odd !== undefined) return refuse('invalid', `${odd || 'The request'} must not contain a NUL character.`)
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const refusal = refusalOf('invalid', issue ? describeIssue(issue, value, part) : 'The request is not valid.')
  if (issue) refusal.place = placeOf(issue.path, part)
  throw refusal
}

/** As RFC 6901 writes it. */
function placeOf(path: readonly PropertyKey[], part: 'body' | 'query' | 'params'): ProblemPlace | undefined {
  if (part === 'query' && path[0] !== undefined) return { parameter: String(path[0]) }
  const steps = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return part === 'body' ? { pointer: steps.join('') } : undefined
}

/** The path of the first text that holds a NUL: no database takes it, and no field means it. */
function findNul(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('\0') ? path : findNul(inner, path ? `${path}.${key}` : key)
    if (found !== undefined) return found
  }
  return undefined
}

export function describeIssue(issue: Issue, value: unknown, part: 'body' | 'query' | 'params' = 'body'): string {
  const field = issue.path.map(String).join('.')
  if (!field) return part === 'body' ? 'The request body must be a JSON object.' : 'The request is not valid.'
  return `${field} ${ruleOf(issue, at(value, issue.path))}.`
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined | null)?.[key], value)

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

function ruleOf(issue: Issue, value: unknown): string {
  if (value === undefined || value === null) return 'is required'
  // A schema's own message states the rule: "must be a valid e-mail address".
  if (/^must /.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return sizeRule('at least', issue.origin, Number(issue.minimum))
    case 'too_big':
      return sizeRule('at most', issue.origin, Number(issue.maximum))
    case 'unrecognized_keys':
      return `must not hold ${issue.keys.join(', ')}`
    default:
      return 'is not valid'
  }
}

function sizeRule(bound: string, origin: string, limit: number): string {
  if (origin === 'string') return `must have ${bound} ${limit} ${limit === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `must have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return `must be ${bound} ${limit}`
}
