import type { Config } from '../core/config.ts'
import { createPool, type Pool } from './pool.ts'
import type { RenderTask, ScanOutcome, ScanTask } from './tasks.ts'
import { findWorkerFile } from './worker-file.ts'

/** The engine in worker threads. Fails with `TaskOverrun` past the limits of work and with `PoolFull` when too many wait. */
export interface Analysis {
  scan(task: Omit<ScanTask, 'task'>): Promise<ScanOutcome>
  /** Renders a stored result as a report. */
  render(task: Omit<RenderTask, 'task'>): Promise<Uint8Array>
  readonly running: number
  readonly waiting: number
  close(): Promise<void>
}

export type AnalysisSettings = Pick<Config, 'scanWorkers' | 'scanTimeoutMs' | 'scanMemoryMb' | 'scanQueue'>

export function createAnalysis(settings: AnalysisSettings, workerFile = findWorkerFile()): Analysis {
  const pool: Pool = createPool({
    workerFile,
    workers: settings.scanWorkers,
    timeoutMs: settings.scanTimeoutMs,
    memoryMb: settings.scanMemoryMb,
    maxWaiting: settings.scanQueue,
  })
  return {
    scan: (task) => pool.run<ScanOutcome>({ task: 'scan', ...task } satisfies ScanTask),
    render: (task) => pool.run<Uint8Array>({ task: 'render', ...task } satisfies RenderTask),
    get running() {
      return pool.running
    },
    get waiting() {
      return pool.waiting
    },
    close: () => pool.close(),
  }
}
