import type { FastifyReply, FastifyRequest } from 'fastify'
import { pack, streamStored } from '../core/stored.ts'
import {
  type ContentPart,
  contentOf,
  type IdempotencyDeps,
  readIdempotencyKey,
  type StoredResponse,
  takeTurn,
} from '../services/idempotency.ts'

export { idempotencyHeader } from './idempotency-header.ts'

interface OnceRequest {
  accountId: string
  content: readonly ContentPart[]
  status: number
}

type Tx = IdempotencyDeps['db']

/** Keeps the answer; with a transaction it is kept exactly if the work is. */
export type KeepAnswer = (
  body: unknown,
  how?: { readonly tx?: Tx; readonly headers?: Readonly<Record<string, string>> },
) => Promise<void>

/**
 * Does the work once for each `Idempotency-Key`. `work` must call `keep` with what it answers; without the header
 * that does nothing.
 */
export async function answerOnce(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { accountId, content, status }: OnceRequest,
  work: (keep: KeepAnswer) => Promise<unknown>,
): Promise<unknown> {
  const key = readIdempotencyKey(request.headers['idempotency-key'])
  if (!key) return work(async () => {})
  const route = `${request.method} ${request.routeOptions.url}`
  const turn = await takeTurn(deps, { accountId, route, key, content: contentOf(content) })
  if (turn.kind === 'replay') return replay(reply, turn.response)
  try {
    return await work((body, { tx, headers } = {}) =>
      turn.complete(
        {
          status,
          headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
          packed: pack(Buffer.from(JSON.stringify(body))),
        },
        tx,
      ),
    )
  } catch (error) {
    await turn.release()
    throw error
  }
}

export const replay = (reply: FastifyReply, response: StoredResponse): FastifyReply =>
  sendStored(reply.header('idempotent-replayed', 'true'), response)

export const sendStored = (reply: FastifyReply, { status, headers, packed }: StoredResponse): FastifyReply =>
  reply.code(status).headers(headers).send(streamStored(packed))
