import type { z } from 'zod'
import { type RefusalName, refusals } from '../core/errors.ts'
import { type Role, roles, rolesFrom } from '../core/roles.ts'
import { type Access, type ResponseDoc, type Route, tags, type UploadField } from './define-route.ts'
import { eventDocs } from './event-schemas.ts'
import { operationId, operationName } from './operation-names.ts'
import { refusesUnknown } from './refuse-unknown.ts'
import { exampleOf } from './request-example.ts'
import { dependsOnRoute, headerNames, sampleWords } from './sample-words.ts'
import { createSchemaSheet, type Json, type SchemaSheet } from './schema-sheet.ts'

export type DocumentedRoute = Omit<Route, 'handle'>

export interface ApiDocument extends Json {
  openapi: string
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json>; [kind: string]: Json }
  webhooks: Record<string, Json>
}

const introduction = `Assay scans Solidity source for known weaknesses and reports findings, a score and advice.

**Order of things**: register, verify the email with the code, log in, generate an API key, send it as \`X-API-Key\`.

**Errors** are \`{"error": "<one sentence>"}\` for every status; machine detail is in headers. \`Accept: application/problem+json\` asks for RFC 9457 instead (the schema \`Problem\`; its \`type\` names the refusal and never changes). Every response carries \`X-Request-Id\`.

**Keys**: keep them out of source code, use one per environment, create the new key before the old one ends (or rotate with an overlap), and watch \`lastUsedAt\` and 429 responses.

**Key or session**: endpoints that take a key take the session of a verified account instead; if both are sent, the key decides. Both count toward the daily quota. Requests by sessions have an hourly limit of their own, ten times that of the plan.

**Limits**: \`X-RateLimit-*\` and \`RateLimit\` headers say what is left. Retry a 429 after \`Retry-After\` seconds, with exponential backoff, random jitter and a small fixed number of attempts.`

const credentialRefusals: Record<Access, readonly RefusalName[]> = {
  public: [],
  // An account that is not verified has no session, but it has a userId, which is enough where the operator says so.
  session: ['sessionMissing', 'userIdForeign', 'emailUnverified', 'crossSite', 'tooManyUserIdRequests'],
  key: ['keyMissing', 'keyInvalid', 'hourSpent', 'keyHourSpent', 'scopeMissing'],
  'key-or-session': ['keyMissing', 'keyInvalid', 'crossSite', 'hourSpent', 'keyHourSpent', 'scopeMissing'],
}

/** What can be wrong with a body before anyone looks into it. */
function readingRefusals({ method, bodyKind, body }: DocumentedRoute): readonly RefusalName[] {
  if (bodyKind === 'upload') return ['requestTimeout']
  // Of these methods a body means nothing and is not read.
  if ((method === 'GET' || method === 'DELETE') && !body) return []
  return bodyKind === 'raw' ? ['bodyTooLarge', 'notJson'] : ['brokenJson', 'repeatedName', 'bodyTooLarge', 'notJson']
}

/** Of a role that every member has, nobody's is too low. */
const isForEveryMember = (least: Role): boolean => rolesFrom(least).length === roles.length

/** Every refusal a route can give: its own, its credential's, and what any request can meet. */
export function refusalsOf(route: DocumentedRoute): RefusalName[] {
  const isValidated = refusesUnknown(route)
  const failing: RefusalName[] =
    route.needsDatabase === false ? [] : [route.tag === 'Scans' ? 'scanFailed' : 'internal', 'unavailable']
  const credential = credentialRefusals[route.access].filter((name) => name !== 'crossSite' || route.method !== 'GET')
  const acting: RefusalName[] =
    route.access === 'public' || route.access === 'key'
      ? []
      : route.organisation
        ? ['organisationNotFound', ...(isForEveryMember(route.organisation) ? [] : (['roleTooLow'] as const))]
        : ['organisationNotFound', 'personalOnly']
  const all = [
    ...credential,
    ...acting,
    ...(isValidated ? (['invalid'] as const) : []),
    ...readingRefusals(route),
    ...route.refusals,
    ...failing,
  ]
  return [...new Set(all)].sort((a, b) => refusals[a][0] - refusals[b][0])
}

/** The OpenAPI 3.1 description of the routes. */
export function describeApi(routes: readonly DocumentedRoute[], options: { serverUrl?: string } = {}): ApiDocument {
  const schemas = createSchemaSheet()
  const paths: ApiDocument['paths'] = {}
  for (const route of routes.filter(({ hidden }) => !hidden)) {
    const path = openApiPath(route.url)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describeRoute(route, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Assay', version: '1', description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: options.serverUrl ?? '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(schemas) as ApiDocument['webhooks'],
    components: {
      schemas: { Error: errorSchema, Problem: problemSchema, ...schemas.named },
      examples: Object.fromEntries(usedRefusals(routes).map((name) => [name, { value: { error: sampleWords(name) } }])),
      responses: { AnyRequest: anyRequestResponse() },
      headers: componentHeaders,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key from POST /api/generate-api-key.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The token from POST /api/login.' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'assay_session', description: 'Set by POST /api/login.' },
      },
    },
  }
}

function usedRefusals(routes: readonly DocumentedRoute[]): RefusalName[] {
  const used = new Set([...anyRequest, ...routes.flatMap(refusalsOf)])
  return (Object.keys(refusals) as RefusalName[]).filter((name) => !dependsOnRoute(name) && used.has(name))
}

const openApiPath = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

const errorSchema: Json = {
  type: 'object',
  properties: { error: { type: 'string', description: 'One sentence.' } },
  required: ['error'],
  additionalProperties: false,
}

const problemSchema: Json = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'Names the kind of refusal and never changes: `/problems/<name>`, an address that describes it.',
    },
    title: { type: 'string', description: 'The kind in words; the same for every refusal of it.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'The sentence that `error` holds in the plain form.' },
    instance: { type: 'string', description: 'The request, as in `X-Request-Id`.' },
    pointer: { type: 'string', description: 'Of a field that is wrong: a JSON pointer into the body.' },
    parameter: { type: 'string', description: 'Of a query parameter that is wrong: its name.' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance'],
}

function describeRoute(route: DocumentedRoute, schemas: SchemaSheet): Json {
  const body = requestBody(route, schemas)
  return {
    operationId: operationId(route),
    ...(operationName(route) ? { 'x-client-method': operationName(route) } : {}),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.audience ? { 'x-audience': route.audience } : {}),
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route.access),
    parameters: parametersOf(route, schemas),
    ...(body ? { requestBody: body } : {}),
    responses: { ...successes(route, schemas), ...failures(route) },
  }
}

/** The operation's name as a type begins. */
const typeName = (route: Pick<Route, 'method' | 'url'>): string => {
  const id = operationId(route)
  return id[0]!.toUpperCase() + id.slice(1)
}

const securityOf = (access: Access): Json[] => {
  const session = [{ bearer: [] }, { cookie: [] }]
  if (access === 'public') return []
  if (access === 'session') return session
  return access === 'key' ? [{ apiKey: [] }] : [{ apiKey: [] }, ...session]
}

const organisationHeader = 'X-Organisation'
const organisationWords = (least: Role): string =>
  `With a session: the id of an organization to act for, in which the caller is ${rolesFrom(least).join(' or ')}.`

function parametersOf(route: DocumentedRoute, schemas: SchemaSheet): Json[] {
  const acting = route.organisation ? { [organisationHeader]: organisationWords(route.organisation) } : {}
  const headers = Object.entries({ ...acting, ...route.requestHeaders }).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return [...fieldsOf(route.params, 'path', schemas), ...fieldsOf(route.query, 'query', schemas), ...headers]
}

function fieldsOf(schema: z.ZodType | undefined, place: 'path' | 'query', schemas: SchemaSheet): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.of(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    ...(takesSeveral(field) && { style: 'form', explode: false }),
    schema: field,
  }))
}

const takesSeveral = ({ anyOf }: Json): boolean =>
  Array.isArray(anyOf) && anyOf.some((choice: Json) => choice.type === 'array')

function requestBody(route: DocumentedRoute, schemas: SchemaSheet): Json | undefined {
  if (route.upload && route.describedBody !== 'json')
    return { required: true, content: { 'multipart/form-data': { schema: uploadSchema(route.upload) } } }
  if (route.jsonUpload) {
    const schema = schemas.of(route.jsonUpload, 'input', `${typeName(route)}Request`)
    return { required: true, content: { 'application/json': { schema, example: route.jsonExample } } }
  }
  if (!route.body) return undefined
  const isJson = route.bodyKind !== 'json-or-form'
  const schema = schemas.of(route.body, 'input', `${typeName(route)}Request`)
  const media = { schema, example: exampleOf(schema, schemas.named) }
  const form = isJson ? {} : { 'application/x-www-form-urlencoded': media }
  return { required: true, content: { 'application/json': media, ...form } }
}

const uploadSchema = (fields: readonly UploadField[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map(({ name, kind, isList, values, description }) => {
      const part = { type: 'string', ...(kind === 'file' && { format: 'binary' }), ...(values && { enum: values }) }
      return [name, isList ? { type: 'array', items: part, minItems: 1, description } : { ...part, description }]
    }),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
})

const componentHeaders = {
  RequestId: { schema: { type: 'string' }, description: 'Names this request in the log.' },
  RetryAfter: { schema: { type: 'integer' }, description: 'Seconds to wait.' },
  RateLimitLimit: {
    schema: { type: 'integer' },
    description: 'What the limit allows: requests of the hour, or scans of the day on a 429 that says so.',
  },
  RateLimitRemaining: { schema: { type: 'integer' }, description: 'What is left of it.' },
  RateLimitReset: { schema: { type: 'integer' }, description: 'Epoch seconds at which it resets.' },
  RateLimitPolicy: {
    schema: { type: 'string' },
    description: 'Every limit that applies, by the IETF draft: name, quota `q`, window `w` in seconds.',
    example: '"hourly";q=60;w=3600, "daily-scans";q=5;w=86400',
  },
  RateLimit: {
    schema: { type: 'string' },
    description: 'What is left of each: name, remaining `r`, seconds until it resets `t`.',
    example: '"hourly";r=58;t=1742, "daily-scans";r=3;t=41342',
  },
}

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

/** On every answer to a key or a session that counts, whatever its status. */
const rateLimitHeaders = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

const takesKey = ({ access }: Pick<Route, 'access'>): boolean => access === 'key' || access === 'key-or-session'

const headersOf = (route: Pick<Route, 'access' | 'responseHeaders'>): Json => ({
  ...requestIdHeader,
  ...(takesKey(route) ? rateLimitHeaders : {}),
  ...Object.fromEntries(
    Object.keys(route.responseHeaders ?? {}).map((name) => [headerCase(name), { schema: { type: 'string' } }]),
  ),
})

const headerCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())

const successes = (route: DocumentedRoute, schemas: SchemaSheet): Json => ({
  ...Object.fromEntries(
    Object.entries(route.responses).map(([status, response]) => [status, describeResponse(route, response, schemas)]),
  ),
  ...(route.method === 'GET' &&
    !isStreamOnly(route) && {
      304: {
        description: 'The answer is still the one whose `ETag` was sent as `If-None-Match`.',
        headers: headersOf(route),
      },
    }),
})

/** What a stream will hold is not known when it begins. */
const isStreamOnly = ({ responses }: DocumentedRoute): boolean => responses[200]?.contentType === 'text/event-stream'

/** OpenAPI 3.1 knows no streams: what each event carries stands in an extension, by the event's name. */
const describeEvents = (events: Record<string, z.ZodType>, schemas: SchemaSheet): Json => ({
  schema: {
    type: 'string',
    'x-events': Object.fromEntries(
      Object.entries(events).map(([name, schema]) => [name, schemas.of(schema, 'output', name)]),
    ),
  },
})

const nextLink = { schema: { type: 'string' }, description: '`rel="next"`: the next page, if there is one.' }

/** Whether the answer is one page of several. */
function isPaged(schema: z.ZodType | undefined): boolean {
  const { data } = (schema as { shape?: { data?: { shape?: object } } } | undefined)?.shape ?? {}
  return 'nextCursor' in (data?.shape ?? {})
}

function describeResponse(route: DocumentedRoute, response: ResponseDoc, schemas: SchemaSheet): Json {
  const { schema, contentType = 'application/json', example } = response
  const media = {
    ...(schema
      ? { schema: schemas.of(schema, 'output', `${typeName(route)}Response`) }
      : { schema: { type: 'string' } }),
    ...(example === undefined ? {} : { example }),
  }
  const others: [type: string, media: Json][] = [
    ...Object.entries(response.alsoAs ?? {}).map(([type, other]): [string, Json] => [
      type,
      { schema: other ? schemas.of(other, 'output') : { type: 'string' } },
    ]),
    ...(response.events ? [['text/event-stream', describeEvents(response.events, schemas)] as [string, Json]] : []),
  ]
  const headers = Object.entries(response.headers ?? {}).map(([name, description]) => [
    name,
    { schema: { type: 'string' }, description },
  ])
  const hasBody = schema !== undefined || response.contentType !== undefined
  return {
    description: response.description,
    headers: { ...headersOf(route), ...Object.fromEntries(headers), ...(isPaged(schema) && { Link: nextLink }) },
    ...(hasBody ? { content: { [contentType]: media, ...Object.fromEntries(others) } } : {}),
  }
}

/** Every failure is of one shape; which texts a status can carry stands in its examples. */
const failures = (route: DocumentedRoute): Json => ({
  ...Object.fromEntries(
    [...groupByStatus(refusalsOf(route))].map(([status, names]) => [status, describeRefusals(names, route)]),
  ),
  default: { $ref: '#/components/responses/AnyRequest' },
})

/** What any request can meet, whatever its route. */
export const anyRequest: readonly RefusalName[] = ['badRequest', 'unknownRoute', 'internal', 'shuttingDown']

const anyRequestResponse = (): Json => ({
  ...describeRefusals(anyRequest, { method: 'GET', access: 'public' }),
  description:
    'What any request can meet: it could not be understood, leads nowhere, met a fault of ours, or the service is restarting.',
})

function groupByStatus(names: readonly RefusalName[]): Map<number, RefusalName[]> {
  const groups = new Map<number, RefusalName[]>()
  for (const name of names) {
    const status = refusals[name][0]
    groups.set(status, [...(groups.get(status) ?? []), name])
  }
  return groups
}

/** In the words of this route where they depend on it, else as everywhere. */
const exampleRefusal = (name: RefusalName, route: RefusingRoute): Json =>
  dependsOnRoute(name) ? { value: { error: sampleWords(name, route) } } : { $ref: `#/components/examples/${name}` }

type RefusingRoute = Pick<DocumentedRoute, 'method' | 'access' | 'responseHeaders' | 'refusesAsPage'> &
  Partial<DocumentedRoute>

function describeRefusals(names: readonly RefusalName[], route: RefusingRoute): Json {
  const examples = Object.fromEntries(names.map((name) => [name, exampleRefusal(name, route)]))
  const hasRetryAfter = names.some((name) => headerNames(name).includes('retry-after'))
  return {
    description: names.map((name) => sampleWords(name, route)).join(' — '),
    headers: {
      ...headersOf(route),
      ...(hasRetryAfter ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples },
      ...(route.refusesAsPage ? { 'text/html': { schema: { type: 'string' } } } : {}),
    },
  }
}

function describeWebhooks(schemas: SchemaSheet): Json {
  return Object.fromEntries(
    Object.entries(eventDocs).map(([name, { summary, schema, example }]) => [
      name,
      {
        post: {
          operationId: `on${name[0]!.toUpperCase()}${name.slice(1)}`,
          summary,
          description:
            'Sent to every active webhook of a pro account that wants it, signed by Standard Webhooks 1.0.0. Any 2xx acknowledges it.',
          security: [],
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.of(schema, 'output'), example } },
          },
          responses: { '2XX': { description: 'Acknowledged.' } },
        },
      },
    ]),
  )
}

const webhookHeaders = [
  ['webhook-id', 'Names the event; the same on every try.'],
  ['webhook-timestamp', 'Epoch seconds of this try.'],
  [
    'webhook-signature',
    '`v1,` and a signature of id, timestamp and body, in base64; several while a secret is rotated.',
  ],
].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))
