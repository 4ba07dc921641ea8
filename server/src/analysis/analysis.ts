import type { Config } from '../core/config.ts'
import { createPool, type Owner, type Pool, type PoolObserver, type RunOptions } from './pool.ts'
import type { AiMerged, AiMergeTask, AiPromptTask, AiQuestion, RenderTask, ScanOutcome, ScanTask } from './tasks.ts'
import { findWorkerFile } from './worker-file.ts'

/**
 * The engine in worker processes. Fails with `TaskOverrun` past the limits of work, with `PoolFull` when it would have to wait for too long,
 * and with `TaskAbandoned` when the signal fires.
 */
export interface Analysis {
  scan(task: Omit<ScanTask, 'task'>, options: RunOptions): Promise<ScanOutcome>
  /** Renders a stored result as a report. */
  render(task: Omit<RenderTask, 'task'>, options: RunOptions): Promise<Uint8Array>
  prepareQuestion(task: Omit<AiPromptTask, 'task'>, options: RunOptions): Promise<AiQuestion>
  /** Undefined when the model's words cannot be used. */
  mergeAnswer(task: Omit<AiMergeTask, 'task'>, options: RunOptions): Promise<AiMerged | undefined>
  /** Seconds after which to come back, when a task of this owner would be refused now: asked before a body is read. */
  secondsUntilRoom(owner: Owner): number | undefined
  readonly running: number
  readonly waiting: number
  close(): Promise<void>
}

export type AnalysisSettings = Pick<
  Config,
  'scanWorkers' | 'scanTimeoutMs' | 'scanMemoryMb' | 'scanQueue' | 'scanWaitMs'
>

export function createAnalysis(settings: AnalysisSettings, observer?: PoolObserver): Analysis {
  const pool: Pool = createPool({
    workerFile: findWorkerFile(),
    workers: settings.scanWorkers,
    timeoutMs: settings.scanTimeoutMs,
    memoryMb: settings.scanMemoryMb,
    maxWaiting: settings.scanQueue,
    maxWaitMs: settings.scanWaitMs,
    observer,
  })
  return {
    scan: (task, options) => pool.run<ScanOutcome>({ task: 'scan', ...task } satisfies ScanTask, options),
    render: (task, options) => pool.run<Uint8Array>({ task: 'render', ...task } satisfies RenderTask, options),
    prepareQuestion: (task, options) =>
      pool.run<AiQuestion>({ task: 'ai-prompt', ...task } satisfies AiPromptTask, options),
    mergeAnswer: (task, options) =>
      pool.run<AiMerged | undefined>({ task: 'ai-merge', ...task } satisfies AiMergeTask, options),
    secondsUntilRoom: pool.secondsUntilRoom,
    get running() {
      return pool.running
    },
    get waiting() {
      return pool.waiting
    },
    close: () => pool.close(),
  }
}
