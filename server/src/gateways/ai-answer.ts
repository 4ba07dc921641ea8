import { z } from 'zod'

/**
 * Reads what a chat-completions gateway sends back, by its content type: an event stream or one JSON document.
 * A failure can hide in a 200 as a top-level error, an error inside a choice, a finish reason, or a stream that just
 * stops; each of these comes out as a `fault`, never as an answer.
 */
export type AiAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly model: string | null; readonly usage: AiUsage | null }
  | { readonly kind: 'fault'; readonly code: number; readonly type: string | null; readonly message: string }

export interface AiUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface AnswerLimits {
  readonly maxBytes: number
  /** Called for each piece of text, and once for the first event that carries anything at all. */
  readonly onText: (receivedCharacters: number) => void
}

const looseError = z.looseObject({
  code: z.union([z.number(), z.string()]).nullish(),
  message: z.string().nullish(),
  metadata: z.looseObject({ error_type: z.string().nullish() }).nullish(),
})

const looseChunk = z.looseObject({
  model: z.string().nullish(),
  error: looseError.nullish(),
  usage: z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).nullish(),
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
        error: looseError.nullish(),
      }),
    )
    .nullish(),
})

type Chunk = z.infer<typeof looseChunk>

const fault = (code: number, type: string | null, message: string): AiAnswer => ({ kind: 'fault', code, type, message })

/** The error body of a gateway in one shape, whatever it left out. */
export function readErrorBody(text: string, status: number): AiAnswer & { kind: 'fault' } {
  const parsed = looseChunk.safeParse(parseJson(text))
  const error = parsed.success ? parsed.data.error : null
  if (!error) return { kind: 'fault', code: status, type: null, message: '' }
  return faultOf(error, status)
}

export async function readAnswer(response: Response, limits: AnswerLimits): Promise<AiAnswer> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('text/event-stream')) return readEventStream(response, limits)
  return readDocument(await readText(response, limits.maxBytes), limits)
}

function readDocument(text: string | null, limits: AnswerLimits): AiAnswer {
  if (text === null) return fault(502, 'too_large', 'The answer is larger than allowed.')
  const parsed = looseChunk.safeParse(parseJson(text))
  if (!parsed.success) return fault(502, 'malformed', 'The answer is not a chat completion.')
  const state = emptyState()
  const failed = absorb(state, parsed.data)
  if (failed) return failed
  limits.onText(state.text.length)
  // A single document is complete by its closing brace, so a missing finish reason is no sign of truncation.
  return conclude(state, true)
}

interface StreamState {
  text: string
  model: string | null
  usage: AiUsage | null
  finish: string | null
}

const emptyState = (): StreamState => ({ text: '', model: null, usage: null, finish: null })

async function readEventStream(response: Response, limits: AnswerLimits): Promise<AiAnswer> {
  const state = emptyState()
  let isDone = false
  for await (const data of eventData(response, limits.maxBytes)) {
    if (data === tooLarge) return fault(502, 'too_large', 'The answer is larger than allowed.')
    if (data.trim() === '[DONE]') {
      isDone = true
      break
    }
    const parsed = looseChunk.safeParse(parseJson(data))
    if (!parsed.success) return fault(502, 'malformed', 'The stream carried something that is not a completion chunk.')
    const failed = absorb(state, parsed.data)
    if (failed) return failed
    limits.onText(state.text.length)
  }
  return conclude(state, isDone || state.finish !== null)
}

/** Adds one chunk (or a whole document) to the state; returns the failure it carries, if any. */
function absorb(state: StreamState, chunk: Chunk): AiAnswer | null {
  if (chunk.error) return faultOf(chunk.error, 502)
  const choice = chunk.choices?.[0]
  if (choice?.error) return faultOf(choice.error, 502)
  if (chunk.model) state.model = chunk.model
  if (chunk.usage) {
    state.usage = {
      promptTokens: chunk.usage.prompt_tokens ?? 0,
      completionTokens: chunk.usage.completion_tokens ?? 0,
    }
  }
  if (!choice) return null
  if (choice.message?.refusal) return fault(403, 'refusal', 'The model refused.')
  state.text += choice.delta?.content ?? choice.message?.content ?? ''
  if (choice.finish_reason) state.finish = choice.finish_reason
  return null
}

function conclude(state: StreamState, isComplete: boolean): AiAnswer {
  if (!isComplete) return fault(502, 'truncated', 'The stream ended before the answer did.')
  if (state.finish === 'error') return fault(502, 'generation_error', 'The model failed while it answered.')
  if (state.finish === 'length') return fault(502, 'length', 'The answer was cut off by its length limit.')
  if (state.finish === 'content_filter') return fault(403, 'content_filter', 'The answer was withheld by a filter.')
  if (state.text.trim() === '') return fault(502, 'empty', 'The answer is empty.')
  return { kind: 'text', text: state.text, model: state.model, usage: state.usage }
}

function faultOf(error: z.infer<typeof looseError>, fallbackCode: number): AiAnswer & { kind: 'fault' } {
  const numeric = Number(error.code)
  const isStatus = Number.isInteger(numeric) && numeric >= 400 && numeric <= 599
  const type = error.metadata?.error_type ?? (typeof error.code === 'string' && !isStatus ? error.code : null)
  return { kind: 'fault', code: isStatus ? numeric : fallbackCode, type, message: error.message ?? '' }
}

const tooLarge = Symbol('too large')

/** The data fields of an event stream, one per event; comments (`: OPENROUTER PROCESSING`) and other fields are skipped. */
async function* eventData(response: Response, maxBytes: number): AsyncGenerator<string | typeof tooLarge> {
  const decoder = new TextDecoder()
  let received = 0
  let rest = ''
  let data: string[] = []
  for await (const bytes of response.body ?? []) {
    received += bytes.byteLength
    if (received > maxBytes) {
      yield tooLarge
      return
    }
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      }
    }
  }
  if (rest.startsWith('data:')) data.push(rest.slice(5).trim())
  if (data.length > 0) yield data.join('\n')
}

/** The body as text, or null once it passes the cap; what lies beyond is never read. */
export async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let received = 0
  let text = ''
  for await (const bytes of response.body ?? []) {
    received += bytes.byteLength
    if (received > maxBytes) return null
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
