import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request that is still arriving may take to arrive once the service stops, and how long any answer may. */
export const ARRIVAL_MS = 5_000
export const ANSWER_MS = 14_000

/**
 * Ends a server within a bounded time. Half a request line, or an upload of a byte a second, would keep it open for as long as somebody
 * likes: such connections are cut soon, requests that have arrived get longer.
 */
export function endConnectionsInTime(server: Server): () => void {
  const sockets = new Set<Socket>()
  const serving = new Map<Socket, ServerResponse>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    serving.set(socket, response)
    response.once('close', () => serving.delete(socket))
  })
  return () => {
    const cut = (isDue: (socket: Socket) => boolean): void => {
      for (const socket of sockets) if (isDue(socket)) socket.destroy()
    }
    const timers = [
      setTimeout(() => cut((socket) => !(serving.get(socket)?.req.complete ?? false)), ARRIVAL_MS),
      setTimeout(() => cut(() => true), ANSWER_MS),
    ]
    server.once('close', () => timers.forEach(clearTimeout))
  }
}
