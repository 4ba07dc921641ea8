import { spawn } from 'node:child_process'
import { createServer, type Server as Listener, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** So many connections are taken in at each turn of the event loop. */
const HANDLES = 16
const PATIENCE_MS = 10_000
/** Gives back what it is handed: a handle that has gone to another process and come back has a descriptor of its own. */
const ECHO = "process.on('message', (message, handle) => process.send(message, handle))"

/**
 * Node takes in one connection for each turn of the event loop and listening handle. Under load a turn takes ten milliseconds and more, and
 * what comes faster than that waits in the system's line, unseen by everything here that sheds load, or finds the line full and tries
 * again seconds later. With more handles on the same socket that many are taken in at a turn. Without them the service serves all the same.
 */
export function acceptFaster(app: FastifyInstance, handles = HANDLES): AcceptedFaster {
  const listeners = new Set<Listener>()
  const ends = new Set<Promise<void>>()
  let isClosing = false
  let copying: Promise<object[]> = Promise.resolve([])
  app.addHook('onListen', async () => {
    const { server } = app
    const handle = handleOf(server)
    if (handle === undefined) return
    copying = copiesOf(handle, handles - 1)
    for (const copy of await copying) {
      const listener = createServer((socket) => server.emit('connection', socket))
      listeners.add(listener.on('error', () => listeners.delete(listener)).listen(copy))
      ends.add(new Promise((resolve) => listener.once('close', resolve).once('error', () => resolve())))
    }
    if (isClosing) closeAll(listeners)
  })
  const closeCopies = (): void => {
    isClosing = true
    closeAll(listeners)
  }
  app.addHook('preClose', async () => closeCopies())
  const adopt = (socket: Socket): void => {
    ends.add(new Promise((resolve) => socket.once('close', () => resolve())))
    app.server.emit('connection', socket)
    socket.resume()
  }
  const ended = async (): Promise<void> => {
    await Promise.all([...ends])
  }
  const settled = async (): Promise<void> => void (await copying)
  return { settled, closeCopies, adopt, ended }
}

export interface AcceptedFaster {
  /** When the process that copies is gone: until then it holds the socket open too. */
  settled(): Promise<void>
  /** The socket is open for as long as one of its handles is. */
  closeCopies(): void
  /** Serves a connection that another process took in. */
  adopt(socket: Socket): void
  /** Settles when every connection that a copy took in has ended: a server waits only for those that it took in itself. */
  ended(): Promise<void>
}

const closeAll = (listeners: Iterable<Listener>): void => {
  for (const listener of listeners) listener.close()
}

/** What Node hands to other processes; it has no public name. */
const handleOf = (server: Listener): object | undefined => (server as { _handle?: object })._handle

function copiesOf(handle: object, count: number): Promise<object[]> {
  const copies: object[] = []
  const echo = spawn(process.execPath, ['-e', ECHO], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} })
  const timer = setTimeout(() => echo.kill('SIGKILL'), PATIENCE_MS)
  return new Promise((resolve) => {
    // As long as it lives, it holds the socket open too.
    const end = (): void => void echo.kill('SIGKILL')
    const ended = (): void => {
      clearTimeout(timer)
      resolve(copies)
    }
    echo.on('error', ended).on('exit', ended)
    echo.on('message', (_message, copy) => {
      if (copy) copies.push(copy)
      if (copies.length === count) end()
    })
    // The service may have stopped meanwhile.
    const noteFailure = (error: Error | null): void => (error ? end() : undefined)
    for (let i = 0; i < count; i++) echo.send('copy', handle as Listener, noteFailure)
  })
}
