import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import type { Analysis } from '../analysis/analysis.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import type { ScanRequestTable } from '../stores/schema.ts'
import type { DatabaseContext } from './describe-on-each-database.ts'
import { sourceForm } from './form.ts'
import { type ScanService, startScanService, type TestCaller } from './scan-service.ts'

/** Nobody stops the work. */
export const unstopped = { signal: new AbortController().signal, stopping: new AbortController().signal }

/** Work that waits until it is let go. */
export function gate() {
  let open = (): void => {}
  let arrive = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  return {
    arrived,
    open: () => open(),
    async pass(): Promise<void> {
      arrive()
      await opened
    },
  }
}

const UPLOAD_MS = 60_000

/**
 * What is answered to an upload of which nothing has come for a minute; no time really passes. Only timers of a minute end at once: the
 * others of the process, those of the database among them, go on as they are.
 */
export async function answerToSilence(
  { inject }: Pick<ScanService, 'inject'>,
  { key }: Pick<TestCaller, 'key'>,
  url: string,
) {
  const { setTimeout: real } = globalThis
  const hurried = ((act: () => void, ms?: number) => real(act, ms === UPLOAD_MS ? 0 : ms)) as typeof setTimeout
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(hurried)
  try {
    const body = new Readable({ read: () => {} })
    const { headers } = sourceForm('')
    return await inject({ method: 'POST', url, payload: body, headers: { ...headers, ...key } })
  } finally {
    timers.mockRestore()
  }
}

/** What suites about scans that wait have in common. */
export interface QueuedWork {
  readonly service: ScanService
  /** The analysis as it is, whatever a test puts in its place. */
  readonly real: Analysis
  /** In place of the real one until the end of the test. */
  own(parts: Partial<Analysis>): void
  scansToday(caller: TestCaller): Promise<number>
  takeAs(instanceId: string): Promise<ScanRequestTable | undefined>
  uploads(): Promise<{ scan_id: string }[]>
}

/** A service that really scans, with nothing in its queue at the beginning of each test. */
export function useQueuedWork(context: DatabaseContext): QueuedWork {
  let service: ScanService
  let real: Analysis
  beforeAll(async () => {
    service = await startScanService(context.database)
    real = { ...service.analysis }
    service.leaves('charges', 'scans that a test leaves in the queue are deleted, with the places they had')
  })
  afterEach(async () => {
    replace(real)
    await service.runJobs()
    // What one test leaves is not what the next one takes.
    await context.database.db.deleteFrom('scan_requests').execute()
    await context.database.db.deleteFrom('scan_lanes').execute()
  })
  afterAll(() => service.close())
  // In the object itself, which routes and jobs share.
  const replace = (parts: Partial<Analysis>): void => {
    for (const [name, part] of Object.entries(parts))
      if (typeof part === 'function') Object.assign(service.analysis, { [name]: part })
  }
  return {
    get service() {
      return service
    },
    get real() {
      return real
    },
    own: replace,
    async scansToday({ account }) {
      const plan = await service.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)
      return plan.json().data.usage.scansToday
    },
    takeAs: (instanceId) => createScanRequestStore(context.database.db).take(instanceId, service.clock.now().getTime()),
    uploads: () => context.database.db.selectFrom('scan_uploads').select('scan_id').execute(),
  }
}
