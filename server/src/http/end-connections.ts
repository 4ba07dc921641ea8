import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Of the time that a stop may take: how much a request that is still arriving has to arrive, and any answer to leave. */
const ARRIVAL_PART = 0.25
const ANSWER_PART = 0.7

/**
 * Ends a server within a bounded time. Half a request line, or an upload of a byte a second, would keep it open for as long as someone
 * likes: such connections are cut soon, requests that have arrived get longer.
 */
export function endConnectionsInTime(server: Server, { withinMs }: { readonly withinMs: number }): () => void {
  const sockets = new Set<Socket>()
  const serving = new Map<Socket, ServerResponse>()
  const timers: NodeJS.Timeout[] = []
  /** A server tells of its end when those connections have ended that it took in itself; others may have been taken in for it. */
  const forget = (): void => {
    if (sockets.size === 0) timers.splice(0).forEach(clearTimeout)
  }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (!server.listening) forget()
    })
  })
  server.on('request', ({ socket }, response) => {
    serving.set(socket, response)
    response.once('close', () => serving.delete(socket))
  })
  return () => {
    const cut = (isDue: (socket: Socket) => boolean): void => {
      for (const socket of sockets) if (isDue(socket)) socket.destroy()
    }
    timers.push(
      setTimeout(() => cut((socket) => !(serving.get(socket)?.req.complete ?? false)), withinMs * ARRIVAL_PART),
      setTimeout(() => cut(() => true), withinMs * ANSWER_PART),
    )
    server.once('close', forget)
  }
}
