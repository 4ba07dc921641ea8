/** The parts of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

interface RawOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  /** Set where it is not for those who use the service. */
  readonly 'x-audience'?: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema; example?: unknown }>> }
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, Media>> }>
  >
}

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export interface Field {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly isDeprecated: boolean
  /** Which credential the examples carry. */
  readonly credential: 'none' | 'key' | 'session'
  readonly parameters: readonly (Field & { readonly place: string })[]
  readonly body?: { readonly contentType: string; readonly fields: readonly Field[]; readonly example: unknown }
  readonly answers: readonly Answer[]
}

export interface Answer {
  readonly status: string
  readonly description: string
  readonly contentType?: string
  readonly example?: unknown
  readonly fields: readonly Field[]
}

export interface Section {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly operations: readonly Operation[]
}

/** Operations by tag, in the order of the document. */
export function readSections(document: ApiDocument): Section[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, raw]) => raw['x-audience'] === undefined)
      .map(([method, raw]) => ({ tag: raw.tags[0] ?? '', operation: readOperation(document, method, path, raw) })),
  )
  return document.tags.map(({ name, description }) => ({
    slug: slugOf(name),
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }))
}

export const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z]+/g, '-')

function readOperation(document: ApiDocument, method: string, path: string, raw: RawOperation): Operation {
  const body = readBody(document, raw)
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    description: raw.description ?? '',
    isDeprecated: raw.deprecated ?? false,
    credential: credentialOf(raw),
    parameters: raw.parameters.map(({ name, in: place, required, description = '', schema }) => ({
      name,
      place,
      isRequired: required,
      description,
      type: typeOf(document, schema),
    })),
    ...(body && { body }),
    answers: Object.entries(raw.responses).flatMap(([status, response]) => readAnswer(document, status, response)),
  }
}

const credentialOf = ({ security }: RawOperation): Operation['credential'] => {
  if (security.length === 0) return 'none'
  return security.some((one) => 'apiKey' in one) ? 'key' : 'session'
}

/** An upload where there is one: that is how most people send sources. */
function readBody(document: ApiDocument, { requestBody }: RawOperation): Operation['body'] {
  const kinds = Object.entries(requestBody?.content ?? {})
  const [contentType, media] = kinds.find(([kind]) => kind === 'multipart/form-data') ?? kinds[0] ?? []
  if (!contentType || !media) return undefined
  return { contentType, fields: listFields(document, media.schema), example: media.example }
}

function readAnswer(
  document: ApiDocument,
  status: string,
  { description = '', content = {} }: RawOperation['responses'][string],
): Answer[] {
  if (status === '304' || status === 'default') return []
  const [contentType, media] = Object.entries(content)[0] ?? []
  const example = media && exampleOf(document, media)
  const isOwn = status.startsWith('2')
  return [
    {
      status,
      description,
      ...(contentType && { contentType }),
      ...(example !== undefined && { example }),
      fields: isOwn && media?.schema ? listFields(document, media.schema) : [],
    },
  ]
}

function exampleOf(document: ApiDocument, { example, examples }: Media): unknown {
  if (example !== undefined) return example
  const first = Object.values(examples ?? {})[0]
  const name = first?.$ref?.split('/').at(-1)
  return name === undefined ? first?.value : document.components.examples[name]?.value
}

const DEEPEST = 3

/** Fields of an object and of the objects in it, by their paths. */
export function listFields(document: ApiDocument, schema: Schema, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = objectOf(document, schema)
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name
    const own = {
      name: path,
      type: typeOf(document, field),
      isRequired: required.includes(name),
      description: resolve(document, field).description ?? '',
    }
    const isDeep = depth + 1 < DEEPEST
    return [
      own,
      ...(isDeep ? listFields(document, field, `${path}${isList(document, field) ? '[].' : '.'}`, depth + 1) : []),
    ]
  })
}

function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const target = name === undefined ? undefined : document.components.schemas[name]
  return target
    ? { ...resolve(document, target), ...(schema.description && { description: schema.description }) }
    : schema
}

/** The object that is meant: the thing itself, what a list holds, or the first of several that has fields. */
function objectOf(document: ApiDocument, schema: Schema): Schema {
  const found = resolve(document, schema)
  if (found.properties) return found
  if (found.items) return objectOf(document, found.items)
  const choices = found.anyOf ?? found.oneOf ?? []
  return choices.map((choice) => objectOf(document, choice)).find(({ properties }) => properties) ?? {}
}

const isList = (document: ApiDocument, schema: Schema): boolean => {
  const { items, anyOf = [] } = resolve(document, schema)
  return items !== undefined || anyOf.some((choice) => isList(document, choice))
}

function typeOf(document: ApiDocument, schema: Schema): string {
  const found = resolve(document, schema)
  if (found.enum) return found.enum.map(String).join(' | ')
  if (found.const !== undefined) return String(found.const)
  if (found.items) return found.items.format === 'binary' ? 'file' : `list of ${typeOf(document, found.items)}`
  const choices = found.anyOf ?? found.oneOf
  if (choices) return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(' or ')
  const type = typeof found.type === 'string' ? found.type : (found.type?.join(' or ') ?? 'any')
  return found.format === 'binary' ? 'file' : type
}
