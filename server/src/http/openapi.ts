import { z } from 'zod'
import { type RefusalName, refusals } from '../core/errors.ts'
import { type Access, type ResponseDoc, type Route, tags, type UploadField } from './define-route.ts'

type Json = { [key: string]: unknown }
type DocumentedRoute = Omit<Route, 'handle'>

export interface ApiDocument extends Json {
  openapi: string
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json>; responses: Record<string, Json>; [kind: string]: Json }
}

const introduction = `Assay scans Solidity source for known weaknesses and reports findings, a score and advice.

**Order of things**: register, verify the e-mail with the code, log in, generate an API key, send it as \`X-API-Key\`.

**Errors** are \`{"error": "<one sentence>"}\` for every status; machine detail is in headers. \`Accept: application/problem+json\` asks for RFC 9457 instead. Every response carries \`X-Request-Id\`.

**Keys**: keep them out of source code, use one per environment, create the new key before the old one ends (or rotate with an overlap), and watch \`lastUsedAt\` and 429 responses.

**Limits**: \`X-RateLimit-*\` and \`RateLimit\` headers say what is left. Retry a 429 after \`Retry-After\` seconds, with exponential backoff, random jitter and a small fixed number of attempts.`

/** Facts to show a refusal's words with. */
const sampleFacts: Partial<Record<RefusalName, readonly unknown[]>> = {
  invalid: ['email must be a valid e-mail address.'],
  methodNotAllowed: ['POST'],
  bodyTooLarge: [65536],
  internal: ['req_7b1c0w9k3x'],
  scanFailed: ['req_7b1c0w9k3x'],
  busy: [2],
  passwordCommon: ['password'],
  quotaSpent: [new Date('2026-03-11T00:00:00.000Z'), 43200],
  fileTooLarge: [102400],
  contractTooLarge: [5120],
  notSolidity: [1, 'expected a pragma, an import or a definition'],
  webhookUrlRefused: ['must start with https://.'],
  tooManyWebhooks: [20],
  planNotHigher: ['pro'],
}

/** The words of a refusal with example facts, as the references print them. */
export function sampleWords(name: RefusalName): string {
  const words = refusals[name][1] as (...facts: unknown[]) => string
  return words(...(sampleFacts[name] ?? [60]))
}

const credentialRefusals: Record<Access, readonly RefusalName[]> = {
  public: [],
  session: ['sessionMissing', 'userIdForeign', 'crossSite', 'tooManyUserIdRequests'],
  key: ['keyMissing', 'keyInvalid', 'hourSpent'],
  'key-or-session': ['keyMissing', 'keyInvalid', 'crossSite', 'hourSpent'],
}

/** Every refusal a route can give: its own, its credential's, and what any request can meet. */
export function refusalsOf(route: DocumentedRoute): RefusalName[] {
  const isValidated = route.body || route.query
  const reading: RefusalName[] =
    route.method === 'GET' || route.method === 'DELETE' || route.bodyKind === 'upload'
      ? []
      : ['brokenJson', 'bodyTooLarge', 'notJson']
  const failing: RefusalName[] = route.tag === 'Scans' ? ['scanFailed'] : ['internal']
  const credential = credentialRefusals[route.access].filter((name) => name !== 'crossSite' || route.method !== 'GET')
  const all = [...credential, ...(isValidated ? (['invalid'] as const) : []), ...reading, ...route.refusals, ...failing]
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
    webhooks: describeWebhooks(schemas),
    components: {
      schemas: { Error: errorSchema, Problem: problemSchema, ...schemas.named },
      responses: Object.fromEntries(usedRefusals(routes).map((name) => [name, describeRefusals([name])])),
      examples: Object.fromEntries(usedRefusals(routes).map((name) => [name, { value: { error: sampleWords(name) } }])),
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

const usedRefusals = (routes: readonly DocumentedRoute[]): RefusalName[] =>
  (Object.keys(refusals) as RefusalName[]).filter((name) => routes.some((route) => refusalsOf(route).includes(name)))

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
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    instance: { type: 'string' },
  },
  required: ['type', 'title', 'status'],
}

/** Turns Zod schemas into JSON Schema, each named one once. */
interface SchemaSheet {
  named: Record<string, Json>
  of(schema: z.ZodType, io: 'input' | 'output'): Json
}

function createSchemaSheet(): SchemaSheet {
  const named: Record<string, Json> = {}
  return {
    named,
    of(schema, io) {
      const { $schema: _dialect, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
      for (const [name, definition] of Object.entries(($defs as Record<string, Json> | undefined) ?? {})) {
        named[name] = withComponentRefs(definition)
      }
      const id = schema.meta()?.id
      if (!id) return withComponentRefs(json)
      named[id] ??= withComponentRefs(json)
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

function withComponentRefs(json: Json): Json {
  const { id: _id, ...rest } = JSON.parse(
    JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as Json
  return rest
}

function describeRoute(route: DocumentedRoute, schemas: SchemaSheet): Json {
  const body = requestBody(route, schemas)
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route.access),
    parameters: parametersOf(route, schemas),
    ...(body ? { requestBody: body } : {}),
    responses: { ...successes(route, schemas), ...failures(route) },
  }
}

/** `POST /api/v1/user-api-keys/:id/rotate` → `postUserApiKeysByIdRotate`. */
export function operationId({ method, url }: Pick<Route, 'method' | 'url'>): string {
  const words = url
    .replace(/^\/api(\/v1)?/, '')
    .replace(/:(\w+)/g, (_whole, name: string) => `by-${name}`)
    .split(/[^0-9A-Za-z]+/)
    .filter(Boolean)
  const prefix = url.startsWith('/api') ? [] : ['root']
  return [method.toLowerCase(), ...[...prefix, ...words].map((word) => word[0]!.toUpperCase() + word.slice(1))].join('')
}

const securityOf = (access: Access): Json[] => {
  const session = [{ bearer: [] }, { cookie: [] }]
  if (access === 'public') return []
  if (access === 'session') return session
  return access === 'key' ? [{ apiKey: [] }] : [{ apiKey: [] }, ...session]
}

function parametersOf(route: DocumentedRoute, schemas: SchemaSheet): Json[] {
  const headers = Object.entries(route.requestHeaders ?? {}).map(([name, description]) => ({
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
    schema: field,
  }))
}

function requestBody(route: DocumentedRoute, schemas: SchemaSheet): Json | undefined {
  if (route.upload)
    return { required: true, content: { 'multipart/form-data': { schema: uploadSchema(route.upload) } } }
  if (!route.body) return undefined
  return { required: true, content: { 'application/json': { schema: schemas.of(route.body, 'input') } } }
}

const uploadSchema = (fields: readonly UploadField[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map(({ name, kind, description }) => [
      name,
      kind === 'file' ? { type: 'string', format: 'binary', description } : { type: 'string', description },
    ]),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
})

const componentHeaders = {
  RequestId: { schema: { type: 'string' }, description: 'Names this request in the log.' },
  RetryAfter: { schema: { type: 'integer' }, description: 'Seconds to wait.' },
}

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const successes = (route: DocumentedRoute, schemas: SchemaSheet): Json =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, response]) => [status, describeResponse(response, schemas)]),
  )

function describeResponse(response: ResponseDoc, schemas: SchemaSheet): Json {
  const { schema, contentType = 'application/json', example } = response
  const media = {
    ...(schema ? { schema: schemas.of(schema, 'output') } : { schema: { type: 'string' } }),
    ...(example === undefined ? {} : { example }),
  }
  const others = (response.alsoAs ?? []).map((type) => [type, { schema: { type: 'string' } }])
  const headers = Object.entries(response.headers ?? {}).map(([name, description]) => [
    name,
    { schema: { type: 'string' }, description },
  ])
  return {
    description: response.description,
    headers: { ...requestIdHeader, ...Object.fromEntries(headers) },
    content: { [contentType]: media, ...Object.fromEntries(others) },
  }
}

function failures(route: DocumentedRoute): Json {
  return Object.fromEntries(
    [...groupByStatus(refusalsOf(route))].map(([status, names]) => [
      status,
      names.length === 1 ? { $ref: `#/components/responses/${names[0]}` } : describeRefusals(names),
    ]),
  )
}

function groupByStatus(names: readonly RefusalName[]): Map<number, RefusalName[]> {
  const groups = new Map<number, RefusalName[]>()
  for (const name of names) {
    const status = refusals[name][0]
    groups.set(status, [...(groups.get(status) ?? []), name])
  }
  return groups
}

function describeRefusals(names: readonly RefusalName[]): Json {
  const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
  const hasRetryAfter = names.some((name) => headerNames(name).includes('retry-after'))
  return {
    description: names.map(sampleWords).join(' — '),
    headers: {
      ...requestIdHeader,
      ...(hasRetryAfter ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  }
}

/** The headers a refusal carries, by name. */
export function headerNames(name: RefusalName): string[] {
  const headers = refusals[name][2] as ((...facts: unknown[]) => Record<string, string>) | undefined
  return headers ? Object.keys(headers(...(sampleFacts[name] ?? [60]))) : []
}

const scanEvent = z
  .object({
    type: z.enum(['scan.completed', 'scan.failed', 'webhook.test']),
    timestamp: z.iso.datetime(),
    scanId: z.string(),
    status: z.enum(['completed', 'failed']),
    securityScore: z.object({ score: z.int(), rating: z.string() }),
    vulnerabilitiesCount: z.int(),
  })
  .meta({ id: 'ScanEvent' })

function describeWebhooks(schemas: SchemaSheet): Json {
  return {
    scan: {
      post: {
        summary: 'A scan was completed or failed',
        description:
          'Sent to every active webhook of a pro account, signed by Standard Webhooks 1.0.0 (`webhook-id`, `webhook-timestamp`, `webhook-signature`). Any 2xx acknowledges it.',
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: schemas.of(scanEvent, 'output') } } },
        responses: { 200: { description: 'Acknowledged.' } },
      },
    },
  }
}
