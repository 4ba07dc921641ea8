import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { GivenUp } from '../core/given-up.ts'

declare module 'fastify' {
  interface FastifyRequest {
    scope: RequestScope
  }
}

/**
 * The stored value in memory on behalf of one request. It ends when the work has ended and the answer has left or nobody can read it any more. That a client is
 * gone is looked up, not only listened for: the event may be over before anyone listens, and an answer that waits behind another one of its
 * connection never hears of it.
 */
export interface RequestScope {
  /** Calls `release` once, when the request is over: at once if it is. */
  hold(release: () => void): void
  /** Keeps the scope open for as long as this work goes on. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Fires when the client went away before its answer was sent. */
  readonly gone: AbortSignal
  /** Whether anyone can still be answered. */
  readonly isConnected: boolean
}

export function openScopes(app: FastifyInstance): void {
  app.decorateRequest('scope')
  app.addHook('onRequest', async (request, reply) => {
    request.scope = openScope(reply)
  })
}

export function openScope({ raw }: Pick<FastifyReply, 'raw'>): RequestScope {
  const releases = new Set<() => void>()
  const gone = new AbortController()
  const { socket } = raw.req
  let works = 0
  let isLeft = false

  const end = (): void => {
    if (!isLeft || works > 0) return
    const due = [...releases]
    releases.clear()
    for (const release of due) release()
  }
  const leave = (): void => {
    if (isLeft) return
    isLeft = true
    raw.off('close', leave)
    forget()
    if (!raw.writableFinished) gone.abort(new GivenUp())
    end()
  }
  const forget = whenClosed(socket, () => {
    closeUnsent(raw)
    leave()
  })
  raw.once('close', leave)
  if (raw.closed || socket.destroyed) leave()

  return {
    hold(release) {
      releases.add(release)
      end()
    },
    async during(work) {
      works += 1
      try {
        return await work()
      } finally {
        works -= 1
        end()
      }
    },
    gone: gone.signal,
    get isConnected() {
      return !raw.closed && !socket.destroyed
    },
  }
}

/**
 * Node tells only the answer at the head of a connection that the connection is gone. Those behind it would stay open for ever, and so would
 * the handlers that wait for them: each handler that returns its reply does.
 */
function closeUnsent(raw: ServerResponse): void {
  if (raw.closed || raw.writableFinished) return
  Object.assign(raw, { destroyed: true, _closed: true })
  raw.emit('close')
}

const listeners = new WeakMap<Socket, Set<() => void>>()

/** One listener for each socket, however many requests wait on it. */
function whenClosed(socket: Socket, listener: () => void): () => void {
  let those = listeners.get(socket)
  if (!those) {
    const added = new Set<() => void>()
    those = added
    listeners.set(socket, added)
    socket.once('close', () => {
      for (const each of [...added]) each()
    })
  }
  const own = those.add(listener)
  return () => void own.delete(listener)
}
