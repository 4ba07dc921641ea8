// What only real processes and sockets can show.
import { request } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeOnEachDatabase } from './testing/describe-on-each-database.ts'
import { floatingSource } from './testing/scan-service.ts'
import { operate, type SpawnedServer, spawnServer, upload } from './testing/spawn-server.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const running: SpawnedServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) if (server.process.exitCode === null) await server.kill()
})

const serve = async (...args: Parameters<typeof spawnServer>): Promise<SpawnedServer> => {
  const server = await spawnServer(...args)
  running.push(server)
  return server
}

describe('a served upload', () => {
  test('413: a chunked upload of a gigabyte is answered at the first piece too many and never taken in', async () => {
    const settings = { dataDir: temporaryFolder() }
    const server = await serve(settings)
    const [key = ''] = await operate(
      settings,
      ['create-account', 'a@example.com'],
      ['create-key', 'a@example.com'],
    ).then((lines) => lines.slice(-1))
    await upload(server, key, floatingSource)
    const before = server.memoryBytes()
    const refused = {
      status: 413,
      body: { error: 'File size exceeds maximum limit of 102400 bytes. Upload a smaller file.' },
    }
    const answer = await sendEndlessly(`${server.url}/api/v1/scan`, key, { totalBytes: 1024 ** 3 })
    expect(answer).toMatchObject(refused)
    // Nothing more comes, nor the end: anyone who waited for either would say that the request took too long.
    const stopped = await sendEndlessly(`${server.url}/api/v1/scan`, key, { totalBytes: 1024 ** 3, stopAt: 128 * 1024 })
    expect(stopped).toMatchObject({ ...refused, sentBytes: 128 * 1024 })
    expect(answer.sentBytes).toBeLessThan(64 * 1024 ** 2)
    expect(server.memoryBytes() - before).toBeLessThan(64 * 1024 ** 2)
    expect((await upload(server, key, floatingSource)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describeOnEachDatabase('the service as processes', (context) => {
  test('kill -9 during 200 scans: each answered one is there, no quota is lost or charged twice', async () => {
    const { settings } = context
    const [userId = '', key = ''] = await newAccount(settings, 'killed@example.com', 1000)
    const first = await serve(settings)
    const answered: string[] = []
    const work = Array.from({ length: 16 }, async (_, lane) => {
      for (let i = lane; i < 200; i += 16) {
        const response = await upload(first, key, `${floatingSource}// ${i}\n`)
        const { scanId } = (await response.json()) as { scanId: string }
        answered.push(scanId)
        if (answered.length === 80) first.process.kill('SIGKILL')
      }
    })
    await Promise.allSettled(work)
    expect(answered.length).toBeGreaterThanOrEqual(80)
    expect(answered.length).toBeLessThan(200)

    const second = await serve(settings)
    const stored = await listAll(second, key)
    expect(answered.filter((id) => !stored.includes(id))).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
    // What the dead process held comes back at once where it was alone, else when it has been silent for a while.
    await vi.waitFor(async () => expect(await scansToday(context, userId)).toBe(stored.length), 40_000)
    expect((await upload(second, key, floatingSource)).status).toBe(200)
    expect(await scansToday(context, userId)).toBe(stored.length + 1)
    expect(await second.stop()).toBe(0)
  })

  test('SIGTERM lets the scans in flight finish', async () => {
    const { settings } = context
    const [, key = ''] = await newAccount(settings, 'drained@example.com', 1000)
    const server = await serve(settings)
    await upload(server, key, floatingSource)
    const inFlight = Array.from({ length: 10 }, () => upload(server, key, floatingSource.repeat(200)))
    // One of them is answered, the others are on their way.
    await Promise.race(inFlight)
    const stopped = server.stop()
    const statuses = (await Promise.allSettled(inFlight)).map((item) =>
      item.status === 'fulfilled' ? item.value.status : 0,
    )
    // Anyone who was in got an answer; late requests got an error or were turned away.
    expect(statuses.every((status) => [200, 503, 0].includes(status))).toBe(true)
    expect(await stopped).toBe(0)
  })

  if (context.dialect === 'postgres') {
    test('two processes on one PostgreSQL admit five of fifty parallel scans on a quota of five', async () => {
      const { settings } = context
      const [userId = '', key = ''] = await newAccount(settings, 'shared@example.com', 5)
      const servers = await Promise.all([serve(settings), serve(settings)])
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => upload(servers[i % 2] as SpawnedServer, key, floatingSource)),
      )
      const statuses = answers.map((answer) => answer.status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(45)
      expect(await scansToday(context, userId)).toBe(5)
      expect(await listAll(servers[0] as SpawnedServer, key)).toHaveLength(5)
    })
  } else {
    test('a second server on the same folder is refused in words', async () => {
      const server = await serve(context.settings)
      await expect(spawnServer(context.settings)).rejects.toThrow(
        'Another Assay process, a server or an operator command, is using',
      )
      expect(await server.stop()).toBe(0)
      const next = await serve(context.settings)
      expect((await fetch(`${next.url}/health`)).status).toBe(200)
    })
  }
})

type Settings = Parameters<typeof operate>[0]

async function newAccount(
  settings: Settings,
  email: string,
  scansPerDay: number,
): Promise<[userId: string, key: string]> {
  const numbers = ['--scans-per-day', String(scansPerDay), '--requests-per-hour', '100000']
  const [user = '', ...rest] = await operate(
    settings,
    ['create-account', email],
    ['limits', email, ...numbers],
    ['create-key', email],
  )
  return [user.split(' ')[1] ?? '', rest.at(-1) ?? '']
}

async function listAll(server: SpawnedServer, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await fetch(`${server.url}/api/v1/scans?limit=100${cursor && `&cursor=${cursor}`}`, {
      headers: { 'x-api-key': key },
    })
    const { data } = (await response.json()) as { data: { scans: { scanId: string }[]; nextCursor: string | null } }
    ids.push(...data.scans.map(({ scanId }) => scanId))
    cursor = data.nextCursor
  }
  return ids
}

async function scansToday(
  { database }: { database: import('./stores/database.ts').Database },
  userId: string,
): Promise<number> {
  const row = await database.db
    .selectFrom('scan_counts')
    .select('n')
    .where('account_id', '=', userId)
    .orderBy('day', 'desc')
    .executeTakeFirst()
  return row?.n ?? 0
}

interface EndlessAnswer {
  status: number
  body: unknown
  sentBytes: number
}

/** Sends a file without saying how long it is, as fast as it is taken, until an answer comes, or falls silent before its end. */
function sendEndlessly(
  url: string,
  key: string,
  { totalBytes, stopAt = totalBytes }: { totalBytes: number; stopAt?: number },
): Promise<EndlessAnswer> {
  const chunk = Buffer.alloc(64 * 1024, 'a')
  let sentBytes = 0
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=endless' }
    const sending = request(url, { method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), sentBytes })
      })
    })
    // The connection is closed under us once the answer was sent: that is the point.
    let fault: Error | undefined
    sending.on('error', (error) => {
      fault = error
    })
    sending.on('close', () => reject(fault ?? new Error('closed without an answer')))
    sending.write('--endless\r\nContent-Disposition: form-data; name="file"; filename="a.sol"\r\n\r\n')
    const pump = (): void => {
      while (sentBytes < stopAt) {
        sentBytes += chunk.length
        if (!sending.write(chunk)) return void sending.once('drain', pump)
      }
      if (stopAt === totalBytes) sending.end('\r\n--endless--\r\n')
    }
    pump()
  })
}
