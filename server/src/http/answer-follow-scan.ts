import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Lifecycle } from '../core/lifecycle.ts'
import { isFinal } from '../core/scan-status.ts'
import { type FollowScanDeps, followScan, getState, type ScanState } from '../services/follow-scan.ts'
import type { Slots } from '../services/slots.ts'
import { createEventStream } from './event-stream.ts'

export interface StreamDeps extends FollowScanDeps {
  readonly lifecycle: Lifecycle
  readonly streamSlots: Slots
  /** How often a silent stream says that it is there; tests do not wait. */
  readonly beatMs?: number | undefined
}

/** However long a scan waits: the client comes again and gets what it missed. */
const MAX_STREAM_MS = 3_600_000

/** Streams the states of a scan until its end, the client's, or this process's. */
export async function answerFollowScan(
  deps: StreamDeps,
  { accountId, scanId }: { readonly accountId: string; readonly scanId: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const lastId = [request.headers['last-event-id']].flat()[0]
  const state = await getState(deps, accountId, scanId)
  // To a browser this means: do not come again.
  if (isFinal(state.status) && state.id === lastId) return reply.code(204).send()
  const leave = deps.streamSlots.enter(accountId)
  const stream = createEventStream(reply, deps.beatMs)
  const signal = AbortSignal.any([request.scope.gone, deps.lifecycle.stopping, AbortSignal.timeout(MAX_STREAM_MS)])
  try {
    stream.open()
    for await (const next of followScan(deps, { accountId, scanId, lastId, signal })) stream.send(toEvent(next))
  } finally {
    leave()
    stream.end()
  }
  return reply
}

const toEvent = ({ id, status, scan }: ScanState) => ({ id, event: status, json: JSON.stringify(scan) })
