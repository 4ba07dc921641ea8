import type { FastifyReply } from 'fastify'

/** Fires when the connection closes before the answer was sent. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
