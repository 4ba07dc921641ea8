import { fastify } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createEventStream } from '../http/event-stream.ts'
import { freePlace } from '../services/scan-quota.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import { checkStreamed } from '../testing/check-document.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { gate } from '../testing/queued-work.ts'
import { floatingSource, type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

interface ScanEvent {
  readonly id: string
  readonly event: string
  readonly data: {
    readonly scanId: string
    readonly status: string
    readonly position: number | null
    readonly progress: object | null
  }
}

const parse = (block: string): ScanEvent | undefined => {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
  return block.startsWith(':') ? undefined : { id: field('id'), event: field('event'), data: JSON.parse(field('data')) }
}

test('a stream that has nothing to say says that it is there', async () => {
  const app = fastify()
  app.get('/', (_request, reply) => {
    createEventStream(reply, 1).open()
    return reply
  })
  const answer = await app.inject({ method: 'GET', url: '/', payloadAsStream: true })
  const [first] = await answer.stream().take(1).toArray()
  expect(String(first)).toBe(': waiting\n\n')
  await app.close()
})

describeOnEachDatabase('following a scan', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterEach(() => service.runJobs())
  afterAll(() => service.close())

  const queue = async ({ key }: TestCaller): Promise<string> => {
    service.clock.travel('PT1S')
    return (await service.scan(key, sourceForm(floatingSource), '/api/v1/scan?async=true')).json().scanId
  }
  const address = (id: string): string => `/api/v1/scans/${id}/events`
  /** One event at a time, as a client reads them. */
  const follow = async ({ key }: TestCaller, id: string, headers: Record<string, string> = {}) => {
    const answer = await service.app.inject({
      method: 'GET',
      url: address(id),
      headers: { ...key, ...headers },
      payloadAsStream: true,
    })
    const stream = answer.stream()
    let rest = ''
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const next = async (): Promise<ScanEvent | undefined> => {
      for (;;) {
        const end = rest.indexOf('\n\n')
        const block = rest.slice(0, Math.max(0, end))
        if (end >= 0) rest = rest.slice(end + 2)
        const received = end >= 0 ? parse(block) : undefined
        if (received) {
          expect(checkStreamed('GET /api/v1/scans/{scanId}/events', received)).toBeUndefined()
          return received
        }
        if (end >= 0) continue
        const { value, done } = await chunks.next()
        if (done) return undefined
        rest += value
      }
    }
    return { answer, next, close: () => stream.destroy() }
  }

  test('200: tells how a scan stands, that it is begun, and that it is done, and ends', async () => {
    const caller = await service.newCaller()
    const id = await queue(caller)
    const { answer, next } = await follow(caller, id)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(await next()).toMatchObject({ event: 'queued', data: { scanId: id, status: 'queued', position: 1 } })
    const work = service.runJobs()
    const received: string[] = []
    for (let event = await next(); event; event = await next()) received.push(event.event)
    await work
    // What goes by in between two looks need not be reported; the end always is.
    expect(received.at(-1)).toBe('completed')
    expect(received.slice(0, -1)).toEqual(received.length > 1 ? ['running'] : [])
  })

  test('200: the place in the line counts down, no matter who does the work', async () => {
    const caller = await service.newCaller()
    const first = await queue(caller)
    const id = await queue(caller)
    const { next } = await follow(caller, id)
    expect((await next())?.data.position).toBe(2)
    // Another process changes the store, and tells nobody here.
    const requests = createScanRequestStore(context.database.db)
    const at = service.clock.now().getTime()
    expect((await requests.take('job_other', at))?.id).toBe(first)
    expect((await next())?.data.position).toBe(1)
    expect((await requests.take('job_other', at))?.id).toBe(id)
    expect(await next()).toMatchObject({ event: 'running', data: { position: null } })
    const reason = 'The scan timed out after 120 s of CPU time.'
    const ended = await requests.endHeld(id, 'job_other', { status: 'failed', reason, at })
    if (ended) await freePlace(context.database.db, ended)
    expect(await next()).toMatchObject({
      event: 'failed',
      data: { status: 'failed', reason },
    })
    expect(await next()).toBeUndefined()
    await requests.giveBack(first, 'job_other', 0)
  })

  test('200: of a project it is reported how many files are analysed, by its stream, its address and its batch', async () => {
    const caller = await service.newCaller('basic')
    const scans = [
      { name: 'app', sources: { 'A.sol': { content: floatingSource }, 'B.sol': { content: floatingSource } } },
    ]
    const queued = await service.post('/api/v1/scans/batch', { scans }, caller.key)
    const batch = async () =>
      (await service.get(`/api/v1/scans/batch/${queued.json().batchId}`, caller.key)).json().data.scans[0]
    const id = (await batch()).scanId
    const real = service.deps.analysis
    const { arrived, open, pass } = gate()
    service.deps.analysis = {
      ...real,
      async scan(task, options) {
        options.onProgress?.({ filesDone: 1, files: 2 })
        await pass()
        return real.scan(task, options)
      },
    }
    const { next } = await follow(caller, id)
    expect(await next()).toMatchObject({ event: 'queued', data: { progress: null } })
    const work = service.runJobs()
    await arrived
    service.deps.analysis = real
    let received = await next()
    while (received && !received.data.progress) received = await next()
    expect(received).toMatchObject({ event: 'running', data: { progress: { filesDone: 1, files: 2 } } })
    const one = { status: 'running', progress: { filesDone: 1, files: 2 } }
    expect((await service.get(`/api/v1/scans/${id}`, caller.key)).json().data).toMatchObject(one)
    expect(await batch()).toMatchObject(one)
    open()
    await work
    for (let event = received; event; event = await next()) received = event
    const all = { status: 'completed', progress: { filesDone: 2, files: 2 } }
    expect(received).toMatchObject({ event: 'completed', data: all })
    expect(await batch()).toMatchObject(all)
  })

  test('200: a scan that is put back has none of its files analysed', async () => {
    const caller = await service.newCaller()
    const id = await queue(caller)
    const requests = createScanRequestStore(context.database.db)
    await requests.take('job_other', service.clock.now().getTime())
    await requests.noteProgress(id, 'job_other', 1, 2)
    await requests.noteProgress(id, 'job_late', 2, 2)
    const progress = async () => (await service.get(`/api/v1/scans/${id}`, caller.key)).json().data.progress
    expect(await progress()).toEqual({ filesDone: 1, files: 2 })
    expect(await requests.giveBack(id, 'job_other', 0)).toBe(true)
    expect(await progress()).toEqual({ filesDone: 0, files: 2 })
  })

  test('200: a cancelled scan ends its streams; one that is done is reported at once', async () => {
    const caller = await service.newCaller()
    const id = await queue(caller)
    const { next } = await follow(caller, id)
    await next()
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${id}`, headers: caller.key })
    expect(await next()).toMatchObject({ event: 'cancelled' })
    expect(await next()).toBeUndefined()
    const done = (await service.scan(caller.key)).json().scanId
    const late = await follow(caller, done)
    expect(await late.next()).toMatchObject({ event: 'completed', data: { scanId: done, status: 'completed' } })
    expect(await late.next()).toBeUndefined()
  })

  test('200, 204: a client with the last id gets only what is new, and nothing when there is nothing more', async () => {
    const caller = await service.newCaller()
    const id = await queue(caller)
    const before = await follow(caller, id)
    const queued = await before.next()
    before.close()
    const again = await follow(caller, id, { 'last-event-id': queued?.id ?? '' })
    await service.runJobs()
    const received: ScanEvent[] = []
    for (let event = await again.next(); event; event = await again.next()) received.push(event)
    expect(received.map(({ event }) => event)).not.toContain('queued')
    const last = received.at(-1)
    expect(last?.event).toBe('completed')
    const over = await service.get(address(id), { ...caller.key, 'last-event-id': last?.id ?? '' })
    expect([over.statusCode, over.body]).toEqual([204, ''])
  })

  test('401, 403, 404: without a key, with a wrong one, and of anything that is not the caller’s own', async () => {
    const [owner, outsider] = [await service.newCaller(), await service.newCaller()]
    const id = await queue(owner)
    expect((await service.get(address(id))).statusCode).toBe(401)
    expect((await service.get(address(id), { 'x-api-key': 'assay_live_x' })).statusCode).toBe(403)
    for (const [caller, scan] of [
      [outsider, id],
      [owner, 'scn_0'],
      [owner, 'nonsense'],
    ] as const) {
      const answer = await service.get(address(scan), caller.key)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Scan not found.' }])
    }
  })

  test('429: an account has twenty streams at a time, and a closed one makes room', async () => {
    const caller = await service.newCaller()
    const id = await queue(caller)
    const open: Awaited<ReturnType<typeof follow>>[] = []
    for (let n = 0; n < 20; n++) open.push(await follow(caller, id))
    const refused = await service.get(address(id), caller.key)
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
      429,
      { error: 'An account can follow at most 20 scans at a time. Close a stream first.' },
      '5',
    ])
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${id}`, headers: caller.key })
    for (const { next } of open) while (await next());
    expect((await service.get(address(id), caller.key)).statusCode).toBe(200)
  })

  test('a process that stops ends its streams', async () => {
    const caller = await service.newCaller()
    const { next } = await follow(caller, await queue(caller))
    await next()
    service.deps.lifecycle.announceStop()
    expect(await next()).toBeUndefined()
  })
})
