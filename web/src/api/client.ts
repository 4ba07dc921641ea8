import { AssayError, createTransport, type Operations } from '../../../client/src/index.ts'
import { client as texts } from '../messages/api.ts'
import { organizationHeaders } from './acting-for.ts'
import { isOnline } from './online.ts'
import { setWaiting } from './waiting.ts'

/**
 * The one door to the service. `Operations` is generated from the route table
 * (`'GET /api/v1/scans/{scanId}': { params, query, body, response }`), so a call that the service does not know does not compile.
 */

export type { ScanProgress, SecondFactorDue } from '../../../client/src/index.ts'
export { fillPath } from '../../../client/src/index.ts'
export type Operation = keyof Operations
export type ResponseOf<K extends Operation> = Operations[K]['response']
export type RequestBodyOf<K extends Operation> = Operations[K]['body']

type Given<T> = [T] extends [never] ? Record<never, never> : T
type InputOf<K extends Operation> = Given<Wrap<'params', Operations[K]['params']>> &
  Given<Wrap<'query', Operations[K]['query']>> &
  Given<Wrap<'body', Operations[K]['body']>>
/** What is optional in all its parts need not be given. */
type Wrap<Name extends string, T> = [T] extends [never]
  ? never
  : Record<never, never> extends T
    ? { [key in Name]?: T }
    : { [key in Name]: T }

/** A refusal in the service's own words; `status` 0: the service could not be reached. */
export { AssayError as Refusal } from '../../../client/src/index.ts'

interface Loose {
  accept?: string
  isPersonal?: boolean
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

export async function call<K extends Operation>(operation: K, input: InputOf<K>): Promise<ResponseOf<K>> {
  const response = await send(operation, input as Loose)
  return (await response.json()) as ResponseOf<K>
}

/** Asks for the person, whatever account is in force. */
export async function callPersonally<K extends Operation>(operation: K, input: InputOf<K>): Promise<ResponseOf<K>> {
  const response = await send(operation, { ...(input as Loose), isPersonal: true })
  return (await response.json()) as ResponseOf<K>
}

/** A file of the service by its address, for the account in force. */
export async function readFile(path: string): Promise<{ text: string; name: string; type: string }> {
  const answer = await fetch(path, { headers: organizationHeaders(`GET ${path}`) })
  if (!answer.ok) throw new AssayError(texts.fileNotRead, { status: answer.status }, { operation: path, attempts: 1 })
  const disposition = answer.headers.get('content-disposition') ?? ''
  return {
    text: await answer.text(),
    name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'download',
    type: answer.headers.get('content-type') ?? 'text/plain',
  }
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
    if (event === 'error') {
      const { status } = response
      throw new AssayError((JSON.parse(data) as { error: string }).error, { status }, { operation, attempts: 1 })
    }
  }
  throw new AssayError(texts.connectionEndedBeforeResult, {}, { operation, attempts: 1 })
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
export function onSessionEnd(openLogIn: typeof logInAgain): void {
  logInAgain = openLogIn
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

/** A service that is busy says when to come back: the page does so by itself, a few times, and says that it waits. */
const transport = createTransport({
  baseUrl: '',
  credentials: 'same-origin',
  retries: { attempts: 4, firstPauseMs: 1000, maxPauseMs: 20_000 },
  // Looked up at each call, so that a test can stand in for it.
  fetch: (...request) => fetch(...request),
  onWait: (wait) =>
    setWaiting(wait && wait.status > 0 ? texts.serviceBusyRetryingS(Math.ceil(wait.milliseconds / 1000)) : null),
})

async function send(operation: string, { accept, isPersonal = false, ...input }: Loose): Promise<Response> {
  const headers = { ...(accept && { accept }), ...(isPersonal ? {} : organizationHeaders(operation)) }
  const request = { ...input, headers }
  if (!isOnline()) throw new AssayError(texts.offline, { status: 0 }, { operation, attempts: 0 })
  try {
    return await transport(operation, request).catch(respell)
  } catch (error) {
    const isEnded = error instanceof AssayError && error.status === 401 && !withoutSession.has(operation)
    if (isEnded && (await logInAgain?.())) return transport(operation, request).catch(respell)
    throw error
  }
}

/** Some texts of the interface are fixed and have "e-mail"; the screen has one spelling. */
function respell(error: unknown): never {
  if (error instanceof AssayError) error.message = error.message.replace(/\b([Ee])-mail\b/g, '$1mail')
  throw error
}
