import { Server as Listener } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** However many come: after so many turns the rest is refused by the system. */
const MAX_TURNS = 10_000

/**
 * Takes no more connections, and loses none. The system accepts connections before the service does, and resets those it had accepted when
 * the listener closes, request and all. So it closes right after a turn of the event loop in which none was left to take in. Connections that are
 * open stay open: what arrives on them is served.
 */
export async function stopListening({ server }: FastifyInstance, closeCopies: () => void): Promise<void> {
  let taken = 0
  const note = (): void => {
    taken += 1
  }
  server.on('connection', note)
  for (let turn = 0, before = -1; taken !== before && turn < MAX_TURNS; turn++) {
    before = taken
    await nextTurn()
    // Of the first turn only a part is seen.
    if (turn === 0) before = -1
  }
  server.off('connection', note)
  closeCopies()
  // That of `http.Server` would close connections that are kept alive as well.
  if (server.listening) Listener.prototype.close.call(server)
}
