import type { Operations } from '@assay/client'
import { tellWaiting } from './waiting.ts'

/**
 * The one door to the service. `Operations` is generated from the route table
 * (`'GET /api/v1/scans/{scanId}': { params, query, body, response }`), so a call that the service does not know does not compile.
 */

export type { ScanProgress, SecondFactorDue } from '@assay/client'
export type Operation = keyof Operations
export type ResponseOf<K extends Operation> = Operations[K]['response']
export type RequestBodyOf<K extends Operation> = Operations[K]['body']

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
  accept?: string
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

/**
 * For answers that come as server-sent events: `onProgress` sees each `progress`, the promise is the `result`.
 * A refusal after the stream began arrives as an `error` event.
 */
export async function callForEvents<K extends Operation>(
  operation: K,
  input: InputOf<K>,
  onProgress: (progress: { stage: string }) => void,
): Promise<ResponseOf<K>> {
  const response = await send(operation, { ...(input as Loose), accept: 'text/event-stream' })
  for await (const { event, data } of readEvents(response)) {
    if (event === 'progress') onProgress(JSON.parse(data))
    if (event === 'result') return JSON.parse(data) as ResponseOf<K>
    if (event === 'error') throw new Refusal((JSON.parse(data) as { error: string }).error, response.status, null)
  }
  throw new Refusal('The answer ended before the result came. Try again.', 0, null)
}

async function* readEvents(response: Response): AsyncGenerator<{ event: string; data: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let waiting = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const blocks = (waiting + part.value).split('\n\n')
    waiting = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (event && data) yield { event, data }
    }
  }
}

/** Asks the person to log in again; true when they did. Set by the page that can ask. */
let logInAgain: (() => Promise<boolean>) | null = null
export function onSessionEnd(ask: typeof logInAgain): void {
  logInAgain = ask
}

/** Here a 401 is an answer to the question, not the end of a session. */
const withoutSession = new Set([
  'GET /api/me',
  'POST /api/login',
  'POST /api/login/second-factor',
  'POST /api/login/passkey-options',
  'POST /api/login/passkey',
  'POST /api/logout',
])

async function send(operation: string, input: Loose): Promise<Response> {
  const response = await sendPatiently(operation, input)
  if (response.ok) return response
  if (response.status === 401 && !withoutSession.has(operation) && (await logInAgain?.())) {
    const again = await sendPatiently(operation, input)
    if (again.ok) return again
    throw await readRefusal(again)
  }
  throw await readRefusal(response)
}

/** A service that is busy says when to come back: the page does so by itself, a few times, and says that it waits. */
const mostWaits = 3
const longestWaitSeconds = 20

async function sendPatiently(operation: string, input: Loose): Promise<Response> {
  for (let waits = 0; ; waits++) {
    const response = await sendOnce(operation, input)
    const seconds = Number(response.headers.get('retry-after')) || 2
    if (response.status !== 503 || waits === mostWaits || seconds > longestWaitSeconds) return response
    tellWaiting(`The service is busy. Trying again in ${seconds} s.`)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    tellWaiting(null)
  }
}

async function sendOnce(operation: string, { accept, params, query, body }: Loose): Promise<Response> {
  const [method = 'GET', template = '/'] = operation.split(' ')
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: { accept: accept ?? 'application/json, text/plain, */*' },
  }
  if (body instanceof FormData) init.body = body
  else if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { ...init.headers, 'content-type': 'application/json' }
  }
  try {
    return await fetch(fillPath(template, params) + queryString(query), init)
  } catch {
    throw new Refusal('The service cannot be reached. Check your connection and try again.', 0, null)
  }
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
