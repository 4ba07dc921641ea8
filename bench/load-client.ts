/**
 * The load generator of `bench:load`, a process of its own: keeps a number of connections busy with uploads, one request after the
 * other on each, and reports what it saw. Speaks HTTP by hand on plain sockets, so that it takes as little of the machine as it can.
 *   argument: JSON of LoadOrder; prints JSON of LoadReport
 */
import { connect, type Socket } from 'node:net'
import { generateContract } from './generate-contract.ts'

export interface LoadOrder {
  readonly port: number
  readonly key: string
  readonly connections: number
  /** Measuring starts after so many scans: until then the server's workers are still compiling the engine. */
  readonly warmUpScans: number
  readonly seconds: number
  readonly contractBytes: number
}

export interface LoadReport {
  readonly scans: number
  readonly seconds: number
  readonly errors: Record<string, number>
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

const VARIANTS = 16

export const contracts = (bytes: number): string[] => {
  const text = generateContract(bytes)
  return Array.from({ length: VARIANTS }, (_, n) => `${text}\n// variant ${n}\n`)
}

export function toRequest(text: string, { key, port }: Pick<LoadOrder, 'key' | 'port'>): Buffer {
  const boundary = '----load'
  const body = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="Ledger.sol"\r\nContent-Type: application/octet-stream\r\n\r\n${text}\r\n--${boundary}--\r\n`,
  )
  const head = `POST /api/v1/scan HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

export interface Answered {
  readonly status: number
  /** The server takes nothing more on this connection. */
  readonly isLast: boolean
}

/** Reads one answer from the socket; the body is counted, not kept. */
export function readAnswer(socket: Socket): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let head = ''
    let status = 0
    let isLast = false
    let missing = -1
    const done = (act: () => void): void => {
      socket.off('data', onData)
      socket.off('close', onClose)
      act()
    }
    const onClose = (): void => done(() => reject(new Error('closed')))
    const onData = (chunk: Buffer): void => {
      if (missing >= 0) missing -= chunk.length
      else {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        status = Number(head.slice(9, 12))
        isLast = /\r\nconnection: close\r\n/i.test(head.slice(0, end + 2))
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4)
      }
      if (missing <= 0) done(() => resolve({ status, isLast }))
    }
    socket.on('data', onData)
    socket.on('close', onClose)
  })
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const requests = contracts(order.contractBytes).map((text) => toRequest(text, order))
  const times: number[] = []
  const errors: Record<string, number> = {}
  let measuredFrom = Number.POSITIVE_INFINITY
  let until = Number.POSITIVE_INFINITY
  let finished = 0
  let next = 0
  const note = (name: string): void => {
    errors[name] = (errors[name] ?? 0) + 1
  }

  const lane = async (): Promise<void> => {
    let socket: Socket | undefined
    while (performance.now() < until) {
      socket ??= connect(order.port, '127.0.0.1')
        .setNoDelay(true)
        .on('error', () => {})
      const began = performance.now()
      socket.write(requests[next++ % requests.length]!)
      const { status } = await readAnswer(socket).catch(() => ({ status: 0 }))
      const ended = performance.now()
      if (status !== 200) {
        note(status === 0 ? 'connection' : String(status))
        socket.destroy()
        socket = undefined
      } else if (began >= measuredFrom && ended <= until) times.push(ended - began)
      finished += 1
      if (finished === order.warmUpScans) {
        measuredFrom = performance.now()
        until = measuredFrom + order.seconds * 1000
        process.stderr.write('measuring\n')
      }
    }
    socket?.destroy()
  }
  await Promise.all(Array.from({ length: order.connections }, lane))
  times.sort((a, b) => a - b)
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { scans: times.length, seconds: order.seconds, errors, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

if (/load-client\.(?:ts|mjs)$/.test(process.argv[1] ?? '')) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as LoadOrder)))
}
