// What only processes can show: a worker takes up what a service queued, ends as configured, and leaves nothing behind when it is killed.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from './testing/describe-on-each-database.ts'
import { sourceForm } from './testing/form.ts'
import { floatingSource, type ScanService, startScanService, type TestCaller } from './testing/scan-service.ts'
import { type SpawnedServer, spawnWorker } from './testing/spawn-server.ts'

describeOnEachDatabase('assay-server worker', (context) => {
  let service: ScanService
  let caller: TestCaller
  const workers: SpawnedServer[] = []
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('basic')
  })
  afterEach(async () => {
    for (const worker of workers.splice(0)) if (worker.process.exitCode === null) await worker.kill()
  })
  afterAll(() => service.close())

  const work = async (more: Record<string, string> = {}): Promise<SpawnedServer> => {
    const worker = await spawnWorker(context.settings, more)
    workers.push(worker)
    return worker
  }
  const queue = async (): Promise<string> =>
    (await service.scan(caller.key, sourceForm(floatingSource), '/api/v1/scan?async=true')).json().scanId
  const ended = async (id: string): Promise<string> => {
    // The stream ends when the scan does.
    await service.get(`/api/v1/scans/${id}/events`, caller.key)
    return (await service.get(`/api/v1/scans/${id}`, caller.key)).json().data.status
  }

  if (context.dialect === 'sqlite') {
    test('on the embedded database it is refused in words', async () => {
      await expect(work()).rejects.toThrow('A worker shares the work of a service through PostgreSQL. Set DATABASE_URL')
    })
    return
  }

  test('answers probes and monitoring on WORKER_PORT, and nothing else', async () => {
    const token = 'token-of-the-monitoring-for-tests'
    const worker = await work({ WORKER_PORT: '0', METRICS_TOKEN: token })
    const url = /working on what is queued on (http:[^\s"]+)/.exec(worker.output())?.[1]
    const sendRequest = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers })
    expect((await sendRequest('/health')).status).toBe(200)
    expect((await sendRequest('/ready')).status).toBe(200)
    expect((await sendRequest('/metrics')).status).toBe(404)
    const metrics = await (await sendRequest('/metrics', { authorization: `Bearer ${token}` })).text()
    for (const name of ['assay_jobs_waiting', 'assay_held', 'assay_database_connections', 'assay_cpu_seconds_total'])
      expect(metrics).toContain(`# TYPE ${name} `)
    for (const path of ['/', '/api/me', '/docs', '/api/v1/scans']) expect((await sendRequest(path)).status).toBe(404)
    expect(await worker.stop()).toBe(0)
  }, 180_000)

  test('takes up what a service queued, and ends with code 0 on request', async () => {
    // As late as the processes' own clocks are.
    service.clock.travelTo(new Date())
    const before = await queue()
    const worker = await work()
    expect(await ended(before)).toBe('completed')
    expect(await ended(await queue())).toBe('completed')
    expect(await worker.stop()).toBe(0)
    // What comes afterwards waits.
    const after = await queue()
    expect((await service.get(`/api/v1/scans/${after}`, caller.key)).json().data.status).toBe('queued')
    await work()
    expect(await ended(after)).toBe('completed')
  }, 180_000)
})
