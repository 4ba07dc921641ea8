import { type ChildProcess, spawn } from 'node:child_process'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { AcceptedFaster } from './accept-faster.ts'

/** However many come: after so many turns the rest is refused by the system. */
const MAX_TURNS = 10_000
/** Without an answer of the other process for so long, the listener is closed without it. */
const PATIENCE_MS = 10_000

/**
 * Takes connections in and hands them over. It has nothing else to do, so that between its last look at the line and the end of the
 * listener there are microseconds; in the service a turn of the event loop takes milliseconds, in which connections arrive.
 */
const TAKER = `
const { createServer } = require('node:net')
const { setImmediate: nextTurn } = require('node:timers/promises')
let taken = 0
let unsent = 0
let listener
const hand = (socket) => {
  taken += 1
  unsent += 1
  process.send('taken', socket, () => { unsent -= 1 })
}
const stop = async () => {
  for (let turn = 0, before = -1; taken !== before && turn < ${MAX_TURNS}; turn++) {
    before = turn === 0 ? -1 : taken
    await nextTurn()
  }
  listener.close()
  while (unsent > 0) await nextTurn()
  process.send('done', () => process.disconnect())
}
process.on('message', (message, handle) => {
  if (message === 'stop') return void stop()
  listener = createServer({ pauseOnConnect: true }, hand).listen(handle, () => process.send('listening'))
})
process.send('ready')
`

/**
 * Takes no more connections, and loses none. The system accepts connections before the service does, and resets those it had accepted when
 * the listener closes, request and all. So another process, with nothing else to do, takes in the last ones and closes the listener
 * right after a turn in which none was left. Connections that are open stay open: what arrives on them is served.
 */
export async function stopListening(
  { server }: FastifyInstance,
  { settled, closeCopies, adopt }: Omit<AcceptedFaster, 'ended'>,
): Promise<void> {
  await settled()
  const handle = (server as { _handle?: object })._handle
  const close = (): void => {
    closeCopies()
    // That of `http.Server` would close connections that are kept alive as well.
    if (server.listening) Listener.prototype.close.call(server)
  }
  if (handle) await handOver(handle, close, adopt).catch(() => drain(server))
  close()
}

/** Settles when the other process has closed the listener and every connection it took in is here. */
async function handOver(handle: object, close: () => void, adopt: (socket: Socket) => void): Promise<void> {
  const taker = spawn(process.execPath, ['-e', TAKER], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} })
  const timer = setTimeout(() => taker.kill('SIGKILL'), PATIENCE_MS)
  try {
    taker.on('message', (message, socket) => {
      if (message === 'taken' && socket) adopt(socket as Socket)
    })
    await said(taker, 'ready')
    taker.send('listen', handle as Listener)
    await said(taker, 'listening')
    close()
    taker.send('stop')
    await said(taker, 'done')
  } finally {
    clearTimeout(timer)
    taker.kill('SIGKILL')
  }
}

const said = (child: ChildProcess, word: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => void child.off('message', hear).off('error', fail).off('exit', fail)
    const hear = (message: unknown): void => {
      if (message !== word) return
      leave()
      resolve()
    }
    const fail = (): void => {
      leave()
      reject(new Error('The process that takes in the last connections is gone.'))
    }
    child.on('message', hear).on('error', fail).on('exit', fail)
  })

/** In this process: until a turn of the event loop in which none was left to take in. */
async function drain(server: Listener): Promise<void> {
  let taken = 0
  const note = (): void => {
    taken += 1
  }
  server.on('connection', note)
  for (let turn = 0, before = -1; taken !== before && turn < MAX_TURNS; turn++) {
    // Of the first turn only a part is seen.
    before = turn === 0 ? -1 : taken
    await nextTurn()
  }
  server.off('connection', note)
}
