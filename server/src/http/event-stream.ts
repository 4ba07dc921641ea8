import type { FastifyReply } from 'fastify'

/** An answer that goes on: one event after the other, and a comment now and then, because proxies drop connections that are silent for long. */
export interface EventStream {
  readonly isOpen: boolean
  /** Opens the stream with the first event. */
  send(event: StreamedEvent): void
  /** Opens it without one. */
  open(): void
  end(): void
}

export interface StreamedEvent {
  readonly event: string
  readonly json: string
  /** What a client sends back as `Last-Event-ID` when it comes again. */
  readonly id?: string
}

export const BEAT_MS = 15_000

export function createEventStream(reply: FastifyReply, beatMs: number = BEAT_MS): EventStream {
  const { raw } = reply
  let isOpen = false
  let beat: NodeJS.Timeout | undefined
  const write = (text: string): void => {
    if (!raw.destroyed && !raw.writableEnded) raw.write(text)
  }
  const open = (): void => {
    if (isOpen) return
    isOpen = true
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value)
    }
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    beat = setInterval(() => write(': waiting\n\n'), beatMs)
    raw.once('close', () => clearInterval(beat))
  }
  return {
    get isOpen() {
      return isOpen
    },
    open,
    send({ event, json, id }) {
      open()
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`)
    },
    end() {
      clearInterval(beat)
      raw.end()
    },
  }
}
