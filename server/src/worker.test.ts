// What only processes can show: a worker takes up what a service queued, ends as told, and leaves nothing behind when it is killed.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

  const work = async (): Promise<SpawnedServer> => {
    const worker = await spawnWorker(context.settings)
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

  test('takes up what a service queued, and ends with code 0 when it is told to', async () => {
    // As late as the processes' own clocks are.
    service.clock.travelTo(new Date())
    const before = await queue()
    const worker = await work()
    // By this a supervisor sees that it is alive.
    const alive = join(context.settings.dataDir, 'worker.alive')
    expect(Date.now() - statSync(alive).mtimeMs).toBeLessThan(60_000)
    expect(await ended(before)).toBe('completed')
    expect(await ended(await queue())).toBe('completed')
    expect(await worker.stop()).toBe(0)
    expect(existsSync(alive)).toBe(false)
    // What comes afterwards waits.
    const after = await queue()
    expect((await service.get(`/api/v1/scans/${after}`, caller.key)).json().data.status).toBe('queued')
    await work()
    expect(await ended(after)).toBe('completed')
  }, 180_000)
})
