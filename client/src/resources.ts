import type { FileInput } from './file-input.ts'
import { type ResourceCalls, resourceCalls } from './generated.ts'
import { createPages } from './pages.ts'
import type { RequestOptions } from './request-options.ts'
import { readAnswer, type Send, type TransportInput } from './transport.ts'

/** How the method of a resource becomes a request; the table of them is generated. */
export interface ResourceCall {
  readonly operation: string
  /** Path parameters, in the order of the arguments. */
  readonly params?: readonly string[]
  /** Fields of the input that go into the query. */
  readonly query?: readonly string[]
  /** Where the other fields go; absent: there are none. */
  readonly body?: 'json' | 'form'
  /** The answer is `{ success, data }`: `data` is given. */
  readonly isWrapped?: true
  /** The answer is a page of a list; this field holds its items. */
  readonly pages?: string
}

type Fields = Readonly<Record<string, unknown>>

export function createResources(send: Send): ResourceCalls {
  const resources: Record<string, Record<string, unknown>> = {}
  for (const [name, call] of Object.entries(resourceCalls as Readonly<Record<string, ResourceCall>>)) {
    const [resource = '', verb = ''] = name.split('.')
    resources[resource] ??= {}
    resources[resource][verb] = (...given: readonly unknown[]) => perform(send, call, given)
  }
  return resources as unknown as ResourceCalls
}

function perform(send: Send, call: ResourceCall, given: readonly unknown[]): unknown {
  const { input, options } = describe(call, given)
  const read = async (query: Fields | undefined): Promise<unknown> => {
    const response = await send(call.operation, { ...options, ...input, query })
    const answer = await readAnswer(response, { operation: call.operation, attempts: 1 })
    return call.isWrapped ? (answer as { data: unknown }).data : answer
  }
  if (!call.pages) return read(input.query)
  return createPages(
    call.pages,
    (cursor) => read(cursor === undefined ? input.query : { ...input.query, cursor }) as Promise<object>,
  )
}

/** Path parameters first, then the input of operations that have one, then options. */
export function describe(
  { params = [], query = [], body }: ResourceCall,
  given: readonly unknown[],
): { readonly input: TransportInput; readonly options: RequestOptions } {
  const rest = given.slice(params.length)
  const hasInput = query.length > 0 || body !== undefined
  const fields = (hasInput ? (rest[0] ?? {}) : {}) as Fields
  const options = (rest[hasInput ? 1 : 0] ?? {}) as RequestOptions
  const pick = (isWanted: (name: string) => boolean): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== undefined && isWanted(name)))
  const inQuery = pick((name) => query.includes(name))
  const inBody = pick((name) => !query.includes(name))
  return {
    input: {
      params: Object.fromEntries(params.map((name, at) => [name, String(given[at])])),
      query: inQuery,
      ...(body ? { body: body === 'form' ? toForm(inBody) : inBody } : {}),
    },
    options,
  }
}

function toForm(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) append(form, name, one)
  return form
}

function append(form: FormData, name: string, value: unknown): void {
  if (typeof value === 'string') form.append(name, value)
  else if (isFile(value)) form.append(name, value, value.name)
  else {
    const { name: fileName, content } = value as Exclude<FileInput, File>
    form.append(name, content instanceof Blob ? content : new Blob([content]), fileName)
  }
}

const isFile = (value: unknown): value is File => value instanceof Blob && 'name' in value
