import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server on loopback, and misbehaves when a test says so. */
export interface TcpProxy {
  readonly port: number
  /** Bytes are swallowed in both directions and new connections get no answer, as with a process that was stopped. */
  freeze(): void
  /** What was swallowed is lost: connections made before are cut. */
  thaw(): void
  /** Ends every connection now; new ones are taken. */
  cut(): void
  /** Ends every connection and takes no new ones, as a server that is down. */
  close(): Promise<void>
  open(): Promise<void>
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    keep(client)
    if (isFrozen) return
    const upstream = keep(connect(target))
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => {
        if (!isFrozen) to.write(chunk)
      })
      from.on('close', () => to.destroy())
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    port,
    freeze() {
      isFrozen = true
    },
    thaw() {
      isFrozen = false
      cut()
    },
    cut,
    async close() {
      cut()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
    open: async () => void (await listen(port)),
  }
}
