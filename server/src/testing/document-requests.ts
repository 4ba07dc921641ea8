import type { InjectOptions } from 'fastify'
import type { ApiDocument } from '../http/openapi.ts'
import { exampleOf } from '../http/request-example.ts'
import { type FormPart, form } from './form.ts'
import type { Random } from './fuzz-requests.ts'

type Json = Record<string, unknown>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Json
}

/** An operation as the document describes it. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly security: readonly Json[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Json; readonly example?: unknown }> }
}

/** Who asks, and about what. */
export interface Asker {
  readonly key: Record<string, string>
  readonly session: Record<string, string>
  readonly userId: string
  readonly password: string
  /** Values of path parameters, by path and name: `/api/v1/webhooks/{id}`. */
  idOf(path: string, name: string): string
}

export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...(described as unknown as Omit<Operation, 'method' | 'path'>),
      method: method.toUpperCase(),
      path,
    })),
  )

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Of another type than any field of this service. */
const wrongValues: readonly unknown[] = [null, 7, -1, 1.5, true, [], {}, [[]], '', '\u0000', 'x'.repeat(20_000), '💥']

type Schemas = Readonly<Record<string, Json>>

const resolve = (schema: Json, named: Schemas): Json =>
  typeof schema.$ref === 'string' ? (named[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema

/** The first and the last value that a schema allows, and what lies just beyond them. */
function limitsOf(schema: Json): { readonly inside: readonly unknown[]; readonly outside: readonly unknown[] } {
  const { enum: allowed, format } = schema
  const { minimum, maximum, minLength, maxLength } = schema as Record<string, number | undefined>
  if (Array.isArray(allowed)) return { inside: allowed, outside: ['no-such-value', ''] }
  if (format === 'date-time') return { inside: ['2026-12-31T23:59:59Z'], outside: ['2026-02-30T00:00:00Z', 'now'] }
  if (minimum !== undefined || maximum !== undefined)
    return { inside: [minimum ?? 0, maximum ?? 100], outside: [(minimum ?? 0) - 1, (maximum ?? 1e15) + 1] }
  if (minLength !== undefined || maxLength !== undefined)
    return {
      inside: ['x'.repeat(minLength ?? 1), 'x'.repeat(maxLength ?? 20)],
      outside: ['x'.repeat(Math.max(0, (minLength ?? 0) - 1)), 'x'.repeat((maxLength ?? 10_000) + 1)],
    }
  return { inside: ['x'], outside: ['x'.repeat(10_000)] }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Twelve requests to one operation: as described, at the limits and beyond, of a wrong type, with something missing, with something
 * unknown, by another method, without a credential, with a wrong one, about something that is not there, and broken.
 */
export function requestsTo(
  operation: Operation,
  { components, paths }: ApiDocument,
  asker: Asker,
  random: Random,
): Record<string, InjectOptions> {
  const named = components.schemas as Schemas
  const query = operation.parameters.filter((parameter) => parameter.in === 'query')
  const json = operation.requestBody?.content['application/json']
  const multipart = operation.requestBody?.content['multipart/form-data']
  const schema = json && resolve(json.schema, named)
  const fields = (schema?.properties ?? {}) as Record<string, Json>
  const right = rightBody(json, named, asker)

  const path = (idOf = asker.idOf): string =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idOf(operation.path, name)))
  const credential = credentialFor(operation, asker, random)
  const send = (change: { path?: string; query?: Json; body?: unknown; parts?: readonly FormPart[] } & Json = {}) => {
    const queryParameters = { ...requiredQuery(query, named, asker), ...(change.query as Json) }
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(queryParameters)) search.append(name, toText(value))
    const request = {
      method: operation.method as 'GET',
      url: `${change.path ?? path()}${search.size > 0 ? `?${search}` : ''}`,
      headers: { ...credential, ...((change.headers as Record<string, string>) ?? {}) },
    }
    if (multipart) {
      const { payload, headers } = form(...((change.parts as FormPart[] | undefined) ?? rightParts(multipart.schema)))
      return { ...request, payload, headers: { ...headers, ...request.headers } }
    }
    const body = 'body' in change ? change.body : right
    return body === undefined ? request : { ...request, payload: body as object }
  }
  const withField = (value: (schema: Json) => unknown): InjectOptions => {
    const name = pick(random, [...Object.keys(fields), ...query.map((parameter) => `?${parameter.name}`)])
    if (name === undefined) return send()
    const queryParameters = query.find((parameter) => `?${parameter.name}` === name)
    if (queryParameters)
      return send({ query: { [queryParameters.name]: value(resolve(queryParameters.schema, named)) } })
    return send({ body: { ...(right as Json), [name]: value(resolve(fields[name] as Json, named)) } })
  }
  const options = Object.fromEntries(
    query.map(({ name, schema }) => [name, exampleOf(resolve(schema, named) as never, named, name) ?? 'x']),
  )
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  const other = pick(
    random,
    methods.filter((method) => !(method.toLowerCase() in (paths[operation.path] ?? {}))),
  )
  return {
    'as described': send(),
    'with every option': send({ query: options }),
    'at a limit': withField((schema) => pick(random, limitsOf(schema).inside)),
    'beyond a limit': withField((schema) => pick(random, limitsOf(schema).outside)),
    'of a wrong type': withField(() => pick(random, wrongValues)),
    'with nothing': send({ body: {}, parts: [] }),
    'with an unknown field': send({
      body: right === undefined ? undefined : { ...(right as Json), noSuchField: 1 },
      parts: multipart ? [...rightParts(multipart.schema), { name: 'noSuchField', value: '1' }] : [],
    }),
    'with an unknown parameter': send({ query: { noSuchParameter: 1 } }),
    'by another method': { ...send(), method: other },
    'without a credential': { ...send(), headers: { ...send().headers, ...noCredential } },
    'with a wrong key': send({ headers: { ...noCredential, 'x-api-key': 'assay_live_nonsense' } }),
    'about nothing, as a problem': send({
      path: path(() => pick(random, ['none', 'scn_0123456789', '%00', '..', 'x'.repeat(300)])),
      headers: { accept: 'application/problem+json' },
    }),
  }
}

const noCredential = { authorization: '', 'x-api-key': '', cookie: '' }

function credentialFor({ security }: Operation, { key, session }: Asker, random: Random): Record<string, string> {
  const takesKey = security.some((scheme) => 'apiKey' in scheme)
  const takesSession = security.some((scheme) => 'bearer' in scheme)
  if (takesKey && takesSession) return pick(random, [key, session])
  return takesKey ? key : takesSession ? session : {}
}

function requiredQuery(query: readonly Parameter[], named: Schemas, { userId }: Asker): Json {
  const required = query.filter((parameter) => parameter.required)
  const value = ({ name, schema }: Parameter) =>
    name === 'userId' ? userId : (exampleOf(resolve(schema, named) as never, named, name) ?? 'x')
  return Object.fromEntries(required.map((parameter) => [parameter.name, value(parameter)]))
}

function rightBody(
  json: { readonly schema: Json; readonly example?: unknown } | undefined,
  named: Schemas,
  { userId, password }: Asker,
): unknown {
  if (!json) return undefined
  const example = json.example ?? exampleOf(json.schema as never, named)
  const own = Object.entries({ userId, password }).filter(([name]) => name in Object(example))
  return own.length > 0 ? { ...(example as Json), ...Object.fromEntries(own) } : example
}

function rightParts(schema: Json): FormPart[] {
  const required = new Set(schema.required as string[])
  return Object.keys(schema.properties as Json)
    .filter((name) => required.has(name))
    .map((name) =>
      name === 'file'
        ? { name, fileName: 'Vault.sol', bytes: 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n' }
        : { name, value: 'x' },
    )
}
