import type { Operations } from './generated.ts'

/**
 * The one door to the service. `Operations` is generated from the route table
 * (`'GET /api/v1/scans/{scanId}': { params, query, body, response }`), so a call that the service does not know does not compile.
 */

export type Operation = keyof Operations
export type ResponseOf<K extends Operation> = Operations[K]['response']

type Given<T> = [T] extends [never] ? Record<never, never> : T
type InputOf<K extends Operation> = Given<Wrap<'params', Operations[K]['params']>> &
  Given<Wrap<'query', Operations[K]['query']>> &
  Given<Wrap<'body', Operations[K]['body']>>
type Wrap<Name extends string, T> = [T] extends [never] ? never : { [key in Name]: T }

/** A refusal in the service's own words. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message)
  }
}

interface Loose {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

export async function call<K extends Operation>(operation: K, input: InputOf<K>): Promise<ResponseOf<K>> {
  const response = await send(operation, input as Loose)
  return (await response.json()) as ResponseOf<K>
}

/** For answers that are text: a scan's source, a report. */
export async function callForText<K extends Operation>(operation: K, input: InputOf<K>): Promise<string> {
  return (await send(operation, input as Loose)).text()
}

async function send(operation: string, { params, query, body }: Loose): Promise<Response> {
  const [method = 'GET', template = '/'] = operation.split(' ')
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json, text/plain, */*' },
  }
  if (body instanceof FormData) init.body = body
  else if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { ...init.headers, 'content-type': 'application/json' }
  }
  let response: Response
  try {
    response = await fetch(fillPath(template, params) + queryString(query), init)
  } catch {
    throw new Refusal('The service cannot be reached. Check your connection and try again.', 0, null)
  }
  if (!response.ok) throw await readRefusal(response)
  return response
}

export function fillPath(template: string, params: Record<string, string> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function queryString(query: Loose['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

async function readRefusal(response: Response): Promise<Refusal> {
  const wait = Number(response.headers.get('retry-after')) || null
  const words = await response
    .json()
    .then((body: { error?: string }) => body.error)
    .catch(() => undefined)
  return new Refusal(words ?? `The service answered ${response.status}.`, response.status, wait)
}
