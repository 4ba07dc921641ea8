import { refusals } from '../server/src/core/errors.ts'
import { type ResponseDoc, type Route, tags } from '../server/src/http/define-route.ts'
import { describeApi, refusalsOf } from '../server/src/http/openapi.ts'
import { sampleWords } from '../server/src/http/sample-words.ts'
import { lines, mark, row } from './markdown.ts'
import { type Schema, schemaToType } from './schema-to-type.ts'

export type DocumentedRoute = Omit<Route, 'handle'>

const credentials: Record<Route['access'], string> = {
  public: 'none',
  session: 'session (Bearer token or cookie)',
  key: '`X-API-Key`',
  'key-or-session': '`X-API-Key`, or a session',
}

/** The reference of all endpoints. */
export function apiPage(routes: readonly DocumentedRoute[]): string {
  const groups = Object.entries(tags).map(
    ([tag, description]) => [tag, description, routes.filter((route) => route.tag === tag)] as const,
  )
  return lines(
    mark('server/src/routes'),
    '# API',
    '',
    'Every endpoint, what it takes and what it answers. The same as OpenAPI 3.1 in `openapi.json` beside this file, at `/openapi.json` and at `/docs` of a running service.',
    '',
    'Errors are `{"error": "<one sentence>"}`; all of them are listed in [errors.md](errors.md), and which endpoint gives which status in [statuses.md](statuses.md). Every response carries `X-Request-Id`. A 400 about a field is shown by one example: its text names whichever field breaks its rule, and the rule.',
    '',
    '## Key or session',
    '',
    '- Endpoints marked "`X-API-Key`, or a session" take either. A program sends a key; the dashboard sends the session of a verified account (the token of `POST /api/login` as `Authorization: Bearer`, or the cookie). With neither: 401 `API key is required. Please provide X-API-Key header.` If both are sent, the key decides.',
    '- A scan by a session counts toward the same daily quota as one by a key.',
    '- Requests by keys count toward the hourly limit of the plan, per account and key type. Requests by sessions count toward an hour of their own, ten times the number of the plan, for all sessions of the account together, so that a page may ask often and a program gains nothing by logging in. Beyond it: 429 with `Retry-After`.',
    '- Endpoints that take a `userId` take a session that owns it. Under `ACCOUNT_ACCESS=login`, the default, the `userId` alone is enough for 15 minutes after a log-in from the same client address, unless the account has a second factor or the request came through a proxy that the service does not trust.',
    '',
    '## Advice for callers',
    '',
    '- Keep keys out of source code: read them from the environment or a secret store.',
    '- Use one key per environment, so that one can be revoked without stopping the others.',
    '- Create the new key before the old one ends; rotating with an overlap does both in one call.',
    '- Watch `lastUsedAt` and 429 responses.',
    '- Retry a 429 no earlier than `Retry-After` says, with exponential backoff, random jitter and a small fixed number of attempts. Send an `Idempotency-Key`, so that a retry is never charged twice.',
    '',
    row('Endpoint', 'Credential', 'Summary'),
    row('---', '---', '---'),
    routes.map((route) =>
      row(`[${route.method} ${pathOf(route)}](#${anchor(route)})`, credentials[route.access], route.summary),
    ),
    '',
    groups.flatMap(([tag, description, members]) =>
      members.length === 0 ? [] : [`## ${tag}`, '', description, '', ...members.flatMap(routeSection)],
    ),
  )
}

export const pathOf = ({ url }: Pick<Route, 'url'>): string => url.replace(/:(\w+)/g, '{$1}')

const anchor = (route: DocumentedRoute): string =>
  `${route.method} ${pathOf(route)}`
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** An operation with what its references lead to. */
interface Described {
  readonly operation: OperationObject
  readonly resolve: (schema: Schema) => Schema
}

function describe(route: DocumentedRoute): Described {
  const document = describeApi([route])
  const operation = document.paths[pathOf(route)]?.[route.method.toLowerCase()] as unknown as OperationObject
  const named = document.components.schemas as Record<string, Schema>
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? resolve(named[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  return { operation, resolve }
}

function routeSection(route: DocumentedRoute): string[] {
  const described = describe(route)
  return [
    `### ${route.method} ${pathOf(route)}`,
    '',
    introduction(route),
    '',
    `Credential: ${credentials[route.access]}.`,
    '',
    ...inputTable(described),
    ...jsonUpload(route, described),
    ...Object.entries(route.responses).flatMap(([status, response]) => answer(status, response, described)),
    'Refuses with:',
    '',
    ...refusalsOf(route).map((name) => `- ${refusals[name][0]} \`${sampleWords(name, route)}\``),
    '',
  ]
}

function introduction({ summary, deprecated, description }: DocumentedRoute): string {
  const sentence = /[.?]$/.test(summary) ? summary : `${summary}.`
  return [sentence, ...(deprecated ? ['**Deprecated.**'] : []), ...(description ? [description] : [])].join(' ')
}

// What a route takes

const inputHead = [row('Field', 'In', 'Type', 'Required', 'Meaning'), row('---', '---', '---', '---', '---')]

function inputTable({ operation, resolve }: Described): string[] {
  const parameters = (operation.parameters ?? []).map(({ name, in: place, schema, required, description }) =>
    row(
      `\`${name}\``,
      place,
      typeCell(schema, resolve),
      yes(required),
      meaning({ ...schema, ...(description && { description }) }),
    ),
  )
  const { content = {} } = operation.requestBody ?? {}
  const [[type = '', media] = []] = Object.entries(content)
  const schema = media ? resolve(media.schema) : {}
  const isForm = type === 'multipart/form-data'
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    row(
      `\`${name}\``,
      isForm ? 'form' : 'body',
      isForm && name === 'file' ? 'file' : typeCell(field, resolve),
      yes(schema.required?.includes(name)),
      meaning(resolve(field), field.description),
    ),
  )
  const rows = [...parameters, ...fields]
  return rows.length === 0 ? [] : [...inputHead, ...rows, '']
}

const yes = (is: boolean | undefined): string => (is ? 'yes' : 'no')

/** Sources as JSON: each kind of document, and one of them whole. */
function jsonUpload(
  { jsonUpload: isTaken, jsonExample }: DocumentedRoute,
  { operation, resolve }: Described,
): string[] {
  const media = operation.requestBody?.content['application/json']
  if (!isTaken || !media) return []
  const schema = resolve(media.schema)
  const kinds = schema.anyOf ?? schema.oneOf ?? [schema]
  return [
    `As \`application/json\`${kinds.length > 1 ? ', one of these kinds' : ''}:`,
    '',
    ...kinds.map((kind) => `- ${documentKind(resolve(kind), resolve)}`),
    '',
    ...(jsonExample === undefined ? [] : json(jsonExample)),
  ]
}

function documentKind(schema: Schema, resolve: Described['resolve']): string {
  if (schema.type === 'array') return `a list, each entry ${documentKind(resolve(schema.items ?? {}), resolve)}`
  const { properties = {}, required = [], anyOf, description } = schema
  if (anyOf) return anyOf.map((kind) => documentKind(resolve(kind), resolve)).join('; or ')
  if (!schema.properties) return typeCell(schema, resolve)
  const fields = Object.entries(properties).map(([name, field]) => {
    const words = meaning(resolve(field), field.description)
    return `\`${name}\`${required.includes(name) ? '' : '?'} ${typeCell(field, resolve)}${words ? ` (${words.replace(/\.$/, '')})` : ''}`
  })
  return `${fields.join(', ')}${description ? `. ${description}` : ''}`
}

// What a route answers

function answer(status: string, response: ResponseDoc, { operation, resolve }: Described): string[] {
  const content = operation.responses[status]?.content ?? {}
  const others = Object.keys(content).filter((type) => type !== 'application/json')
  const schema = content['application/json']?.schema
  return [
    `Answers ${status}: ${response.description}`,
    '',
    ...(response.example === undefined ? [] : json(response.example)),
    ...(schema && response.example !== undefined ? furtherFields(schema, response.example, resolve) : []),
    ...(others.length === 0
      ? []
      : [`${schema ? 'Also as' : 'As'} ${others.map((type) => `\`${type}\``).join(', ')}.`, '']),
    ...eventLines(content, resolve),
    ...(response.events ? [''] : []),
    ...Object.entries(response.headers ?? {}).map(([name, words]) => `Header \`${name}\`: ${words}`),
    ...(response.headers ? [''] : []),
  ]
}

const json = (value: unknown): string[] => ['```json', JSON.stringify(value, null, 2), '```', '']

/** Events of the same shape stand together. */
function eventLines(content: Content, resolve: Described['resolve']): string[] {
  const stream = content['text/event-stream']?.schema as (Schema & { 'x-events'?: Record<string, Schema> }) | undefined
  const byShape = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(stream?.['x-events'] ?? {})) {
    const shape = documentKind(resolve(schema), resolve)
    byShape.set(shape, [...(byShape.get(shape) ?? []), `\`${name}\``])
  }
  return [...byShape].map(
    ([shape, names]) => `- ${names.length > 1 ? 'events' : 'event'} ${names.join(', ')}: ${shape}`,
  )
}

/** Fields that an answer can have and the example has not. */
function furtherFields(schema: Schema, example: unknown, resolve: Described['resolve']): string[] {
  const missing = [...missingFields(schema, example, resolve, '')]
  return missing.length === 0 ? [] : ['It can also hold:', '', ...missing.map((field) => `- ${field}`), '']
}

function* missingFields(
  schema: Schema,
  example: unknown,
  resolve: Described['resolve'],
  path: string,
): Generator<string> {
  const whole = resolve(schema)
  if (Array.isArray(example)) {
    if (whole.items && example.length > 0) yield* missingFields(whole.items, example[0], resolve, `${path}[]`)
    return
  }
  if (typeof example !== 'object' || example === null) return
  const choices = whole.anyOf ?? whole.oneOf
  // Of several kinds of answers the first is the one that is shown.
  if (choices?.[0]) return yield* missingFields(choices[0], example, resolve, path)
  for (const [name, field] of Object.entries(whole.properties ?? {})) {
    const at = path ? `${path}.${name}` : name
    if (name in example) yield* missingFields(field, (example as Record<string, unknown>)[name], resolve, at)
    else {
      const words = meaning(resolve(field), field.description)
      yield `\`${at}\` ${typeCell(field, resolve)}${words ? `: ${words}` : ''}`
    }
  }
}

// Types and rules in words

/** In one line; a name that only means a few words is reported by them. */
function typeCell(schema: Schema, resolve: Described['resolve']): string {
  return `\`${schemaToType(withoutWords(schema, resolve))
    .replace(/\n\s*(?=\})/g, ' ')
    .replace(/\{\n\s*/g, '{ ')
    .replace(/\n\s*/g, '; ')}\``
}

/** Deep enough for a table: what lies below is in the OpenAPI document. */
const MAX_DEPTH = 1

function withoutWords(schema: Schema, resolve: Described['resolve'], depth = 0): Schema {
  const whole = schema.$ref && (resolve(schema).enum || depth < MAX_DEPTH) ? resolve(schema) : schema
  const { description: _description, ...bare } = whole
  const inner = (one: Schema): Schema => withoutWords(one, resolve, depth + 1)
  return {
    ...bare,
    ...(bare.items && { items: inner(bare.items) }),
    ...(bare.anyOf && { anyOf: bare.anyOf.map(inner) }),
    ...(bare.oneOf && { oneOf: bare.oneOf.map(inner) }),
    ...(bare.properties && {
      properties: Object.fromEntries(Object.entries(bare.properties).map(([name, field]) => [name, inner(field)])),
    }),
  }
}

/** What a field means, and which values it takes. */
function meaning(schema: Schema, description = schema.description): string {
  const rules = [
    ...bounds(schema),
    ...(schema.default === undefined ? [] : [`\`${JSON.stringify(schema.default).replaceAll('"', '')}\` unless given`]),
  ]
  const rule = rules.join('; ')
  const sentence = rule ? `${rule[0]?.toUpperCase()}${rule.slice(1)}.` : ''
  return [description, sentence].filter(Boolean).join(' ')
}

function bounds({ minimum, maximum, minLength, maxLength, maxItems, format, description }: Schema): string[] {
  // Words that name the number themselves need not be said twice.
  const says = (bound: number): boolean => description?.includes(String(bound)) ?? false
  const isSafe = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER && !says(bound)
  return [
    ...(isSafe(minimum) && isSafe(maximum) ? [`${minimum} to ${maximum}`] : []),
    ...(isSafe(minimum) && !isSafe(maximum) ? [`at least ${minimum}`] : []),
    ...(!isSafe(minimum) && isSafe(maximum) ? [`at most ${maximum}`] : []),
    ...(isSafe(maxLength) && minLength !== maxLength ? [`at most ${maxLength} characters`] : []),
    ...(isSafe(maxItems) ? [`at most ${maxItems} entries`] : []),
    ...(format === 'date-time' && !description?.includes('ISO') ? ['ISO 8601, UTC'] : []),
  ]
}

type Content = Record<string, { schema: Schema }>

export interface OperationObject {
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
