import { problemName, type RefusalName, refusals } from '../server/src/core/errors.ts'
import type { ApiDocument } from '../server/src/http/openapi.ts'
import type { OperationObject } from './api-page.ts'
import { lines } from './markdown.ts'
import { type Schema, schemaToType } from './schema-to-type.ts'

/** An operation that clients have a method for. */
interface Named {
  readonly resource: string
  readonly verb: string
  /** `POST /api/v1/scan` */
  readonly name: string
  readonly operation: Operation
}

type Operation = OperationObject & { readonly summary: string; readonly 'x-client-method'?: string }

/** The package's resources: their types, and at run time the table that makes requests of them. */
export function clientResources(document: ApiDocument): string {
  const named = listNamed(document)
  const resources = [...new Set(named.map(({ resource }) => resource))]
  const resolve = resolver(document)
  return lines(
    '',
    '/** Stable names of the refusals: the last part of the `type` of a problem. */',
    `export type ErrorCode = ${[...new Set((Object.keys(refusals) as RefusalName[]).map(problemName))].map((name) => JSON.stringify(name)).join(' | ')}`,
    '',
    '/** What is sent to webhooks. */',
    `export type WebhookEvent = ${eventTypes(document).join(' | ')}`,
    '',
    '/** Every operation, by resource. */',
    'export interface ResourceCalls {',
    resources.flatMap((resource) => [
      `  readonly ${resource}: {`,
      ...named.filter((one) => one.resource === resource).flatMap((one) => signature(one, resolve)),
      '  }',
    ]),
    '}',
    '',
    '/** How each becomes a request. */',
    'export const resourceCalls = {',
    named.map((one) => `  '${one.resource}.${one.verb}': ${JSON.stringify(callOf(one, resolve))},`),
    '} as const',
    '',
    '/** Operations that take an Idempotency-Key. */',
    'export const idempotentOperations: ReadonlySet<string> = new Set([',
    operationsOf(document)
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ name }) => `  '${name}',`),
    '])',
  )
}

const operationsOf = (document: ApiDocument): { name: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: operation as unknown as Operation,
    })),
  )

const listNamed = (document: ApiDocument): Named[] =>
  operationsOf(document).flatMap(({ name, operation }) => {
    const [resource, verb] = operation['x-client-method']?.split('.') ?? []
    return resource && verb ? [{ resource, verb, name, operation }] : []
  })

type Resolve = (schema: Schema) => Schema

const resolver =
  (document: ApiDocument): Resolve =>
  (schema) => {
    const name = schema.$ref?.split('/').at(-1)
    return name ? ((document.components.schemas[name] as Schema | undefined) ?? {}) : schema
  }

const eventTypes = (document: ApiDocument): string[] =>
  Object.values(document.webhooks).map((webhook) => {
    const { post } = webhook as unknown as { post: { requestBody: { content: Record<string, { schema: Schema }> } } }
    return schemaToType(post.requestBody.content['application/json']?.schema ?? {})
  })

const namesIn = (operation: Operation, place: 'path' | 'query'): string[] =>
  parametersIn(operation, place).map(({ name }) => name)

/** A method gives one kind of answer: where `async` or `format` would change it, another method does. */
function parametersIn({ parameters = [] }: Operation, place: 'path' | 'query') {
  const given = parameters.filter((parameter) => parameter.in === place)
  return given.some(({ name }) => name === 'async')
    ? given.filter(({ name }) => name !== 'async' && name !== 'format')
    : given
}

/** How the method becomes a request: `ResourceCall` in the client. */
function callOf({ name, operation }: Named, resolve: Resolve) {
  const params = namesIn(operation, 'path')
  const query = namesIn(operation, 'query')
  const body = bodyKind(operation)
  const { isWrapped, pages } = answerOf(operation, resolve)
  return {
    operation: name,
    ...(params.length > 0 && { params }),
    ...(query.length > 0 && { query }),
    ...(body && { body }),
    ...(isWrapped && { isWrapped }),
    ...(pages && { pages: pages.field }),
  }
}

function bodyKind({ requestBody }: Operation): 'json' | 'form' | undefined {
  if (!requestBody) return undefined
  return 'multipart/form-data' in requestBody.content ? 'form' : 'json'
}

function signature(one: Named, resolve: Resolve): string[] {
  const { operation, verb } = one
  const params = namesIn(operation, 'path').map((name) => `${name}: string`)
  const input = inputType(operation, resolve)
  const inputs = input ? [`input${input.isOptional ? '?' : ''}: ${input.type}`] : []
  const given = [...params, ...inputs, 'options?: RequestOptions'].join(', ')
  const { type, pages } = answerOf(operation, resolve)
  const result = pages ? `Pages<${pages.item}, ${type}>` : `Promise<${type}>`
  const formats = formatSignatures(one, params)
  const comment = /[.?]$/.test(operation.summary) ? operation.summary : `${operation.summary}.`
  return [`    /** ${comment} */`, ...(formats ?? [`    ${verb}(${given}): ${result}`])]
}

const formatTypes: Readonly<Record<string, string>> = { json: 'application/json', sarif: 'application/sarif+json' }

/** An answer in several formats: each has its own type. */
function formatSignatures({ operation, verb }: Named, params: readonly string[]): string[] | undefined {
  const format = parametersIn(operation, 'query').find(({ name }) => name === 'format')
  const content = operation.responses['200']?.content ?? {}
  if (!format?.schema.enum) return undefined
  return format.schema.enum.map((value) => {
    const schema = content[formatTypes[String(value)] ?? '']?.schema
    const isDefault = value === format.schema.default
    const input = `input${isDefault ? '?' : ''}: { format${isDefault ? '?' : ''}: ${JSON.stringify(value)} }`
    const given = [...params, input, 'options?: RequestOptions'].join(', ')
    return `    ${verb}(${given}): Promise<${schema ? schemaToType(schema) : 'string'}>`
  })
}

/** Query and body in one object, as nobody wants to know which is which. */
function inputType(operation: Operation, resolve: Resolve): { type: string; isOptional: boolean } | undefined {
  const fields = parametersIn(operation, 'query')
  const query: Schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  }
  const queryType = fields.length > 0 ? [schemaToType(query, '    ')] : []
  const { content } = operation.requestBody ?? {}
  const form = content?.['multipart/form-data']?.schema
  const json = content?.['application/json']?.schema
  const bodyType = form ? [formType(resolve(form))] : json ? [schemaToType(json, '    ')] : []
  const types = [...bodyType, ...queryType]
  if (types.length === 0) return undefined
  const body = json ? resolve(json) : form
  const shared = fields.find(({ name }) => body?.properties && name in body.properties)
  if (shared) throw new Error(`${shared.name} is a field of the query and of the body`)
  const isOptional = (body?.required ?? []).length === 0 && !body?.anyOf && query.required?.length === 0
  return { type: types.map((type) => (types.length > 1 ? `(${type})` : type)).join(' & '), isOptional }
}

function formFieldType({ type, format, enum: values }: Schema): string {
  if (type === 'array') return 'FileInput | readonly FileInput[]'
  if (format === 'binary') return 'FileInput'
  return values?.map((value) => JSON.stringify(value)).join(' | ') ?? 'string'
}

function formType({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = formFieldType(field)
    const comment = field.description ? `      /** ${field.description} */\n` : ''
    return `${comment}      ${name}${required.includes(name) ? '' : '?'}: ${type}`
  })
  return `{\n${fields.join('\n')}\n    }`
}

interface AnswerType {
  readonly type: string
  readonly isWrapped?: true
  readonly pages?: { readonly field: string; readonly item: string }
}

const isJson = (type: string): boolean => /^application\/([\w.-]+\+)?json$/.test(type)

/** Queued work is asked for by methods of its own, so its 202 is not among the answers of the others. */
function answerOf({ responses, parameters = [] }: Operation, resolve: Resolve): AnswerType {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const schemas = successes.flatMap(([, { content }]) => content?.['application/json']?.schema ?? [])
  const own = schemas.filter((schema, at) => at === 0 || !schema.$ref?.endsWith('/ScanAccepted'))
  const types = Object.keys(successes[0]?.[1].content ?? {})
  const [first] = own
  if (!first) return { type: types.length > 0 ? 'string' : 'void' }
  const whole = resolve(first)
  const data = own.length === 1 && isEnvelope(whole) ? whole.properties?.data : undefined
  const shown = data ? [data] : own
  // Where text comes first it is the usual answer, and JSON that of some cases.
  const text = types[0] && !isJson(types[0]) ? ['string'] : []
  const isPaged = parameters.some(({ name, in: place }) => place === 'query' && name === 'cursor')
  const pages = isPaged ? pagesOf(resolve(data ?? first), resolve) : undefined
  return {
    type: [...text, ...shown.map((schema) => schemaToType(schema, '    '))].join(' | '),
    ...(data && { isWrapped: true }),
    ...(pages && { pages }),
  }
}

const isEnvelope = ({ properties = {} }: Schema): boolean => Object.keys(properties).sort().join() === 'data,success'

function pagesOf({ properties = {} }: Schema, resolve: Resolve): AnswerType['pages'] {
  if (!('nextCursor' in properties)) return undefined
  const lists = Object.entries(properties).filter(([, field]) => resolve(field).type === 'array')
  const [list] = lists
  if (!list) return undefined
  const [field, schema] = list
  return { field, item: schemaToType(resolve(schema).items ?? {}, '    ') }
}
