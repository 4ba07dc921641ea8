import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A chat-completions gateway for tests, over real HTTP: it checks the key, the model and the schema as the real one
 * does, streams with comments, and fails in every way the real one is known to fail. One behaviour per call is taken
 * from `script`; when the script is empty it answers with what `reply` says.
 */
export interface OpenRouterStandIn {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  script: Behaviour[]
  reply: (request: RecordedRequest) => string
  close(): Promise<void>
}

export interface RecordedRequest {
  readonly authorization: string | undefined
  readonly path: string
  readonly body: ChatRequest
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly provider?: { readonly require_parameters?: boolean; readonly data_collection?: string }
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: { readonly name: string; readonly strict: boolean; readonly schema: JsonSchema }
  }
}

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: JsonSchema
}

export type Behaviour =
  | { readonly kind: 'answer' }
  | { readonly kind: 'document'; readonly text?: string; readonly finishReason?: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'error'
      readonly status: number
      readonly type?: string
      readonly message?: string
      readonly retryAfter?: string
    }
  | { readonly kind: 'errorInside200'; readonly code: number; readonly message?: string }
  | { readonly kind: 'errorInChoice'; readonly code: number }
  | { readonly kind: 'errorMidStream'; readonly code: number }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'cutStream' }
  | { readonly kind: 'dropConnection' }
  | { readonly kind: 'silence' }
  | { readonly kind: 'commentsForever' }
  | { readonly kind: 'trickle'; readonly everyMs: number }
  | { readonly kind: 'flood'; readonly bytes: number }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'redirect'; readonly to: string }

export interface StandInOptions {
  readonly keys?: readonly string[]
  readonly models?: Readonly<Record<string, { readonly structured: boolean; readonly contextCharacters: number }>>
}

export const standInKey = 'sk-or-v1-stand-in-000000000000000000000000'

const defaultModels = {
  'acme/auditor-1': { structured: true, contextCharacters: 400_000 },
  'acme/plain-1': { structured: false, contextCharacters: 400_000 },
  'acme/tiny-1': { structured: true, contextCharacters: 200 },
}

export async function startOpenRouterStandIn(options: StandInOptions = {}): Promise<OpenRouterStandIn> {
  const keys = new Set(options.keys ?? [standInKey])
  const models: NonNullable<StandInOptions['models']> = options.models ?? defaultModels
  const requests: RecordedRequest[] = []
  const standIn = {
    script: [] as Behaviour[],
    reply: (_: RecordedRequest): string =>
      JSON.stringify({ summary: 'Nothing to add.', vulnerabilities: [], recommendations: [] }),
  }

  const server = createServer(async (request, response) => {
    const text = await readBody(request)
    if (request.method !== 'POST' || request.url !== '/api/v1/chat/completions') {
      sendError(response, 404, undefined, 'Not Found')
      return
    }
    const body = JSON.parse(text) as ChatRequest
    const recorded = { authorization: request.headers.authorization, path: request.url, body }
    requests.push(recorded)
    const behaviour = standIn.script.shift() ?? { kind: 'answer' }
    if (behaviour.kind === 'answer') {
      const refusal = check(recorded, keys, models)
      if (refusal) sendError(response, refusal.status, refusal.type, refusal.message)
      else sendText(response, body, standIn.reply(recorded))
      return
    }
    behave(behaviour, response, body, standIn.reply(recorded))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(standIn, {
    url: `http://127.0.0.1:${port}/api/v1`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

function check(
  { authorization, body }: RecordedRequest,
  keys: ReadonlySet<string>,
  models: NonNullable<StandInOptions['models']>,
): { status: number; type?: string; message: string } | null {
  if (!keys.has((authorization ?? '').replace(/^Bearer /, ''))) return { status: 401, message: 'User not found.' }
  const model = models[body.model]
  if (!model) return { status: 400, message: `${body.model} is not a valid model ID` }
  const format = body.response_format
  if (body.provider?.require_parameters && format && !model.structured) {
    return {
      status: 404,
      type: 'no_endpoints',
      message: 'No endpoints found that can handle the requested parameters.',
    }
  }
  const problem = format?.json_schema ? strictnessProblem(format.json_schema.schema, '$') : null
  if (problem) return { status: 400, message: `Invalid schema for response_format: ${problem}` }
  const length = body.messages.reduce((sum, { content }) => sum + content.length, 0)
  if (length > model.contextCharacters) {
    return {
      status: 400,
      type: 'context_length_exceeded',
      message: `This endpoint's maximum context length is exceeded: you requested ${length}.`,
    }
  }
  return null
}

/** Strict mode demands that every property is required and that nothing else is allowed, at every level. */
function strictnessProblem(schema: JsonSchema, path: string): string | null {
  if (schema.properties) {
    if (schema.additionalProperties !== false) return `${path}: additionalProperties must be false`
    for (const [name, property] of Object.entries(schema.properties)) {
      if (!schema.required?.includes(name)) return `${path}.${name} must be required`
      const problem = strictnessProblem(property, `${path}.${name}`)
      if (problem) return problem
    }
  }
  return schema.items ? strictnessProblem(schema.items, `${path}[]`) : null
}

function behave(behaviour: Behaviour, response: ServerResponse, request: ChatRequest, reply: string) {
  switch (behaviour.kind) {
    case 'answer':
      return sendText(response, request, reply)
    case 'text':
      return sendText(response, request, behaviour.text)
    case 'document':
      return sendDocument(response, request, behaviour.text ?? reply, behaviour.finishReason ?? 'stop')
    case 'error':
      return sendError(response, behaviour.status, behaviour.type, behaviour.message ?? 'failed', behaviour.retryAfter)
    case 'errorInside200':
      return sendJson(response, 200, {
        error: { code: behaviour.code, message: behaviour.message ?? 'Provider returned error' },
      })
    case 'errorInChoice':
      return sendJson(response, 200, {
        id: 'gen-1',
        model: request.model,
        choices: [
          {
            message: { role: 'assistant', content: '{"summary"' },
            finish_reason: 'error',
            error: { code: behaviour.code, message: 'Provider returned error' },
          },
        ],
      })
    case 'errorMidStream': {
      openStream(response)
      event(response, chunk(request, '{"summary": "All'))
      event(response, {
        ...chunk(request, ''),
        error: { code: behaviour.code, message: 'Provider disconnected' },
        choices: [{ delta: { content: '' }, finish_reason: 'error' }],
      })
      response.end()
      return
    }
    case 'finish':
      openStream(response)
      event(response, chunk(request, reply))
      event(response, { ...chunk(request, ''), choices: [{ delta: { content: '' }, finish_reason: behaviour.reason }] })
      response.end('data: [DONE]\n\n')
      return
    case 'cutStream':
      openStream(response)
      event(response, chunk(request, reply.slice(0, 10)))
      response.end()
      return
    case 'dropConnection':
      response.socket?.destroy()
      return
    case 'silence':
      return
    case 'commentsForever':
      openStream(response)
      every(response, 20, () => response.write(': OPENROUTER PROCESSING\n\n'))
      return
    case 'trickle':
      openStream(response)
      every(response, behaviour.everyMs, () => event(response, chunk(request, ' ')))
      return
    case 'flood':
      openStream(response)
      flood(response, request, behaviour.bytes)
      return
    case 'malformed':
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>502 Bad Gateway</html>')
      return
    case 'empty':
      return sendText(response, request, '')
    case 'redirect':
      response.writeHead(307, { location: behaviour.to }).end()
  }
}

function sendText(response: ServerResponse, request: ChatRequest, text: string) {
  if (!request.stream) return sendDocument(response, request, text, 'stop')
  openStream(response)
  response.write(': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n')
  // Cut at odd places, also inside a character and between the two bytes of a line end.
  const pieces = text.match(/[\s\S]{1,37}/g) ?? []
  const wire = Buffer.from(
    [
      ...pieces.map((piece) => `data: ${JSON.stringify(chunk(request, piece))}\r\n\r\n`),
      `data: ${JSON.stringify({ ...chunk(request, ''), choices: [{ delta: { content: '' }, finish_reason: 'stop' }] })}\n\n`,
      `data: ${JSON.stringify({ ...chunk(request, ''), choices: [], usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280, cost: 0.001 } })}\n\n`,
      'data: [DONE]\n\n',
    ].join(''),
  )
  const step = 501
  const send = (from: number): void => {
    if (from >= wire.length) {
      response.end()
      return
    }
    response.write(wire.subarray(from, from + step), () => setImmediate(send, from + step))
  }
  send(0)
}

function sendDocument(response: ServerResponse, request: ChatRequest, text: string, finishReason: string): void {
  sendJson(response, 200, {
    id: 'gen-1',
    object: 'chat.completion',
    model: request.model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
    usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 },
  })
}

function sendError(
  response: ServerResponse,
  status: number,
  type: string | undefined,
  message: string,
  retryAfter?: string,
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  sendJson(response, status, { error: { code: status, message, ...(type && { metadata: { error_type: type } }) } })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const openStream = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
}

const event = (response: ServerResponse, data: object): void => {
  response.write(`data: ${JSON.stringify(data)}\n\n`)
}

const chunk = (request: ChatRequest, content: string): object => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  model: request.model,
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
})

function every(response: ServerResponse, ms: number, act: () => void): void {
  act()
  const timer = setInterval(act, ms)
  response.on('close', () => clearInterval(timer))
}

function flood(response: ServerResponse, request: ChatRequest, bytes: number): void {
  let sent = 0
  const piece = 'x'.repeat(60_000)
  const pump = (): void => {
    if (sent >= bytes || response.destroyed) {
      response.end()
      return
    }
    sent += piece.length
    if (response.write(`data: ${JSON.stringify(chunk(request, piece))}\n\n`)) setImmediate(pump)
    else response.once('drain', pump)
  }
  pump()
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const piece of request) chunks.push(piece as Buffer)
  return Buffer.concat(chunks).toString()
}
