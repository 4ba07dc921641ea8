import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heldBy } from './core/gauges.ts'
import { describeOnEachDatabase } from './testing/describe-on-each-database.ts'
import { sourceForm } from './testing/form.ts'
import { findBrokenPromises } from './testing/invariants.ts'
import { floatingSource, type ScanService, startScanService, type TestCaller } from './testing/scan-service.ts'
import { type SeededRandom, seededRandom } from './testing/seeded-random.ts'

const CLIENTS = 60
const ROUNDS = 3

type Moment = 'during upload' | 'after sending' | 'while waiting' | 'while answering' | 'never'
const moments: readonly Moment[] = ['during upload', 'after sending', 'while waiting', 'while answering', 'never']

interface Target {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: Buffer
}

/** Everything that is counted somewhere while it is under way. */
function targets(scanId: string): readonly Target[] {
  const { payload, headers } = sourceForm(floatingSource)
  const batch = Buffer.from(JSON.stringify({ scans: [{ sources: { 'A.sol': { content: floatingSource } } }] }))
  return [
    { method: 'POST', url: '/api/v1/scan', payload, headers },
    { method: 'POST', url: '/api/v1/scan', payload, headers: { ...headers, 'idempotency-key': 'the same for all' } },
    { method: 'POST', url: '/api/v1/scan?async=true', payload, headers },
    { method: 'POST', url: '/api/v1/scans/batch', payload: batch, headers: { 'content-type': 'application/json' } },
    { method: 'POST', url: '/api/scan', payload, headers },
    { method: 'GET', url: `/api/v1/scans/${scanId}/events` },
    { method: 'GET', url: '/api/v1/scans' },
  ]
}

function bytesOf({ method, url, headers = {}, payload = Buffer.alloc(0) }: Target, key: string): Buffer {
  const all = { host: 'here', 'x-api-key': key, 'content-length': String(payload.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`), payload])
}

/** One connection with one to three requests on it, dropped at some moment. */
async function visit(port: number, random: SeededRandom, requests: readonly Buffer[]): Promise<void> {
  const moment = random.pick(moments)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  const bytes = Buffer.concat(requests)
  if (moment === 'during upload') {
    socket.write(bytes.subarray(0, 1 + random.integer(bytes.length - 1)))
    await pause(random.integer(20))
  } else {
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
    if (moment === 'while waiting') await pause(random.integer(60))
    if (moment === 'while answering') await Promise.race([once(socket, 'data'), pause(500)])
    if (moment === 'never') {
      socket.resume()
      await Promise.race([closed, pause(300)])
    }
  }
  socket.destroy()
  await closed
}

describeOnEachDatabase('clients that hang up', (context) => {
  let service: ScanService
  let port: number
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
    port = Number(new URL(address).port)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  test('whatever moment they choose, nothing is held when all of them are gone, and the next is served', async () => {
    const random = seededRandom(process.env.TEST_SEED)
    const { scanId } = (
      await service.scan({ ...caller.key, prefer: 'respond-async' }, sourceForm(floatingSource))
    ).json() as { scanId: string }
    const all = targets(scanId)
    for (let round = 0; round < ROUNDS; round++) {
      const visits = Array.from({ length: CLIENTS }, () => {
        const requests = Array.from({ length: 1 + random.integer(3) }, () => random.pick(all))
        return visit(
          port,
          random,
          requests.map((one) => bytesOf(one, caller.key['x-api-key'])),
        )
      })
      const jobs = service.runJobs()
      await Promise.all([...visits, jobs])
    }
    await service.runJobs()
    await expect.poll(() => heldBy(service.deps.gauges), { message: `seed ${random.seed}` }).toEqual({})
    expect((await service.scan(caller.key)).statusCode, `seed ${random.seed}`).toBe(200)
    await expect.poll(() => heldBy(service.deps.gauges)).toEqual({})
    await expect.poll(() => findBrokenPromises(context.database.db), { message: `seed ${random.seed}` }).toEqual([])
  })
})
