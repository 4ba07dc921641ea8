import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ApiDocument, describeApi } from '../http/openapi.ts'
import { routes } from '../routes/index.ts'
import { answerRecorder } from './record-answers.ts'

/** Hidden routes too: whatever a test meets is held to what its route declares. */
const described = describeApi(routes.map((route) => ({ ...route, hidden: false })))

/** The same document with references as the validator follows them: each component is a schema of its own. */
const document = JSON.parse(
  JSON.stringify(described).replaceAll('"#/components/schemas/', '"component:'),
) as ApiDocument

const ajv = new Ajv2020({ strict: false, allErrors: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(schema, `component:${name}`)

const validators = new WeakMap<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const made = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, made)
  return made
}

const explain = ({ errors }: ValidateFunction): string => ajv.errorsText(errors, { dataVar: 'body' })

export interface LiveAnswer {
  readonly method: string
  /** As the route has it, with `:name`. */
  readonly url: string
  readonly status: number
  /** Empty for an answer without one. */
  readonly contentType: string
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly isKeyed: boolean
}

const anyRequest = (document.components as unknown as { responses: Responses }).responses.AnyRequest

type Responses = Record<
  string,
  { headers?: Record<string, unknown>; content?: Record<string, { schema: { type?: unknown } }> }
>

const problem = { schema: document.components.schemas.Problem as { type?: unknown } }

/** What OpenAPI says of an answer and is not so; undefined when all of it is. */
export function checkAnswer(answer: LiveAnswer): string | undefined {
  const path = answer.url.replace(/:(\w+)/g, '{$1}')
  const method = answer.method.toLowerCase()
  const responses = (document.paths[path]?.[method] as { responses: Responses } | undefined)?.responses
  if (!responses) return 'is not in the document'
  const declared = responses[answer.status] ?? (answer.status >= 400 ? anyRequest : undefined)
  if (!declared) return `answers ${answer.status}, which it does not declare`
  const missing = requiredHeaders(declared.headers ?? {}, answer).find((name) => !(name in answer.headers))
  if (missing) return `lacks the header ${missing}`
  if (answer.text === '') return undefined
  const mediaType = answer.contentType.split(';', 1)[0] ?? ''
  // Every refusal comes in this form where the request asks for it; the document says so once.
  const isProblem = mediaType === 'application/problem+json' && answer.status >= 400
  const media = isProblem ? problem : declared.content?.[mediaType]
  if (!media) return `answers ${mediaType}, which it does not declare`
  if (!/json/.test(mediaType) || isOpaque(media.schema)) return undefined
  const validate = validatorOf(media.schema)
  return validate(JSON.parse(answer.text)) ? undefined : `the body is not as declared: ${explain(validate)}`
}

/** A report in another format is described as text. */
const isOpaque = ({ type }: { type?: unknown }): boolean => type === 'string'

/** Of the declared headers, those that must be there whatever happened. */
const requiredHeaders = (declared: Record<string, unknown>, { isKeyed }: LiveAnswer): string[] =>
  Object.keys(declared)
    .map((name) => name.toLowerCase())
    .filter((name) => name === 'x-request-id' || (isKeyed && /^(x-ratelimit-|ratelimit)/.test(name)))

/** What OpenAPI says of an event in a stream and is not so. */
export function checkStreamed(
  operation: string,
  { event, data }: { event: string; data: unknown },
): string | undefined {
  const [method = '', path = ''] = operation.split(' ')
  const described = document.paths[path]?.[method.toLowerCase()] as { responses: Responses } | undefined
  const stream = described?.responses['200']?.content?.['text/event-stream']?.schema as Streamed | undefined
  const schema = stream?.['x-events']?.[event]
  if (!schema) return `${operation} streams ${event}, which it does not declare`
  const validate = validatorOf(schema)
  // A stream is written past the hooks that see other answers.
  answerRecorder()({ method, url: path.replace(/\{(\w+)\}/g, ':$1'), status: 200, refusal: undefined })
  return validate(data) ? undefined : `the event ${event} is not as declared: ${explain(validate)}`
}

interface Streamed {
  'x-events'?: Record<string, object>
}

interface EventOperation {
  post: { requestBody: { content: { 'application/json': { schema: object } } } }
}

/** What OpenAPI says of a webhook's event and is not so. */
export function checkEvent(text: string): string | undefined {
  const event = JSON.parse(text) as { type?: string }
  const problems: string[] = []
  for (const [name, operation] of Object.entries(document.webhooks)) {
    const { schema } = (operation as unknown as EventOperation).post.requestBody.content['application/json']
    const validate = validatorOf(schema)
    if (validate(event)) return undefined
    problems.push(`${name}: ${explain(validate)}`)
  }
  return `the event ${event.type} is none that is described: ${problems.join(' | ')}`
}
