import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** In the data folder, for its owner alone: operator commands reach the process that serves from there. */
const SOCKET_FILE = 'operator.sock'
const MAX_REQUEST_BYTES = 64 * 1024
/** The system cuts or refuses longer addresses of sockets. */
const MAX_ADDRESS_BYTES = 100

export interface OperatorSocket {
  close(): Promise<void>
}

/** One request for each connection, one answer, both JSON. The caller holds the lock of the folder, so a socket that is there is left over. */
export async function listenForOperator(
  dataDir: string,
  answer: (request: unknown) => Promise<unknown>,
): Promise<OperatorSocket> {
  const address = shortAddress(dataDir)
  rmSync(address.path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    readAll(socket)
      .then(answer)
      .then((value) => socket.end(JSON.stringify(value)))
      .catch(() => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.path, resolve)
  })
  chmodSync(address.path, 0o600)
  return {
    close: () => new Promise((resolve) => server.close(() => resolve(address.release()))),
  }
}

/** What the process that serves from the folder answers; undefined: nobody listens there. */
export async function sendToService(dataDir: string, request: unknown): Promise<unknown> {
  const address = shortAddress(dataDir)
  try {
    const socket = connect({ path: address.path, allowHalfOpen: true })
    socket.end(JSON.stringify(request))
    return await readAll(socket, Number.POSITIVE_INFINITY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    if (code === 'EACCES')
      throw new Error(`This user may not operate ${dataDir}: run the command as the service's user.`)
    throw error
  } finally {
    address.release()
  }
}

async function readAll(socket: Socket, maxBytes = MAX_REQUEST_BYTES): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > maxBytes) throw new Error('The request is too long.')
    chunks.push(chunk as Buffer)
  }
  if (size === 0) throw new Error('The service ended before it answered: look whether the command was carried out.')
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** A folder with a long name is reached by its descriptor, where the system allows that. */
function shortAddress(dataDir: string): { path: string; release(): void } {
  const path = join(dataDir, SOCKET_FILE)
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES || process.platform !== 'linux') return { path, release: () => {} }
  const folder = openSync(dataDir, 'r')
  return { path: `/proc/self/fd/${folder}/${SOCKET_FILE}`, release: () => closeSync(folder) }
}
