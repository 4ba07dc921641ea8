import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refusalOf } from '../core/errors.ts'
import { type AiScanOnceDeps, aiScanOnce } from '../services/ai-scan-once.ts'
import { assertRoom, ownerOf } from '../services/analyse.ts'
import type { KeyCaller, SessionCaller } from '../services/caller.ts'
import { readIdempotencyKey } from '../services/idempotency.ts'
import { getLimits, withScansToday } from '../services/limits.ts'
import type { AiProgress } from '../services/run-ai-scan.ts'
import { mediaTypes } from './choose-format.ts'
import { createEventStream } from './event-stream.ts'
import { readUpload } from './read-upload.ts'

interface AiScanInput {
  readonly caller: KeyCaller | SessionCaller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly suppressions: 'honour' | 'ignore'
}

/**
 * An AI scan takes long: a client that asks for an event stream hears of its progress. Whatever is refused before the
 * work begins is refused as on any route; after that the stream carries the result or the error.
 */
export async function answerAiScan(
  deps: AiScanOnceDeps,
  { caller, request, reply, suppressions }: AiScanInput,
): Promise<unknown> {
  const { accountId } = caller
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
  const limits = caller.admission?.limits ?? (await getLimits(deps, accountId))
  assertRoom(deps, ownerOf(accountId, limits))
  const stream = wantsEvents(request.headers.accept) ? createProgressStream(reply) : undefined
  try {
    const { body, isReplay, scansToday } = await aiScanOnce(deps, {
      accountId,
      limits,
      via: caller.via,
      idempotencyKey,
      suppressions,
      receive: () => readUpload(request, limits.maxFileBytes),
      signal: request.scope.gone,
      onProgress: (progress) => stream?.sendProgress(progress),
    })
    if (isReplay) reply.header('idempotent-replayed', 'true')
    const header = reply.getHeader('ratelimit')
    if (scansToday !== undefined && typeof header === 'string')
      reply.header('ratelimit', withScansToday(header, limits, scansToday))
    return stream ? stream.finish('result', body.toString()) : reply.type(mediaTypes.json).send(body)
  } catch (error) {
    if (!stream?.isOpen) throw error
    const refusal = error instanceof Refusal ? error : refusalOf('scanFailed', request.id)
    if (!(error instanceof Refusal)) deps.log.error({ err: error, requestId: request.id }, 'request failed')
    return stream.finish('error', JSON.stringify({ error: refusal.message, status: refusal.status }))
  }
}

const wantsEvents = (accept: string | undefined): boolean => /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept ?? '')

const progressEveryCharacters = 500

function createProgressStream(reply: FastifyReply) {
  const stream = createEventStream(reply)
  let sentCharacters = 0
  return {
    get isOpen() {
      return stream.isOpen
    },
    sendProgress(progress: AiProgress): void {
      if (progress.stage === 'receiving') {
        if (progress.receivedCharacters < sentCharacters + progressEveryCharacters) return
        sentCharacters = progress.receivedCharacters
      }
      stream.send({ event: 'progress', json: JSON.stringify(progress) })
    },
    finish(event: 'result' | 'error', json: string): FastifyReply {
      stream.send({ event, json })
      stream.end()
      return reply
    },
  }
}
