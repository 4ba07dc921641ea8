import type { FileProgress } from '@assay/engine'
import { findPackages } from '@assay/prover'
import type { Config } from '../core/config.ts'
import {
  createPool,
  type Deadline,
  type Owner,
  type Pool,
  type PoolObserver,
  type RunOptions,
  TaskOverrun,
} from './pool.ts'
import { mostProofMs, proofDeadline } from './proof-deadline.ts'
import type {
  AiMerged,
  AiMergeTask,
  AiPromptTask,
  AiQuestion,
  EvidenceProgress,
  FindingsPage,
  FixTask,
  FoundryTestTask,
  OutOfTime,
  PageTask,
  Proven,
  ProveTask,
  RenderTask,
  ScanOutcome,
  ScanTask,
  Split,
  SplitTask,
  UnfinishedProofTask,
  Unpacked,
  UnpackTask,
  WithholdTask,
} from './tasks.ts'
import { findWorkerFile } from './worker-file.ts'

/**
 * The engine in worker processes. Fails with `TaskOverrun` past the limits of work, with `PoolFull` when it would have to wait for too long,
 * and with `TaskAbandoned` when the signal fires.
 */
export interface Analysis {
  /** Opens an archive or a document. */
  unpack(task: Omit<UnpackTask, 'task'>, options: RunOptions): Promise<Unpacked>
  /** Takes a batch apart. */
  split(task: Omit<SplitTask, 'task'>, options: RunOptions): Promise<Split>
  scan(task: Omit<ScanTask, 'task' | 'cpuMs'>, options: ScanRunOptions): Promise<ScanOutcome>
  /** Renders a stored result as a report. */
  render(task: Omit<RenderTask, 'task'>, options: RunOptions): Promise<Uint8Array>
  /** A stored result without what was copied from the source, stored anew. */
  withhold(task: Omit<WithholdTask, 'task'>, options: RunOptions): Promise<Uint8Array>
  /** Some of the findings of a stored result. */
  page(task: Omit<PageTask, 'task'>, options: RunOptions): Promise<FindingsPage>
  /** Patches for the findings of a stored result, as JSON. */
  fix(task: Omit<FixTask, 'task'>, options: RunOptions): Promise<Uint8Array>
  /** Executes the findings of a result. */
  prove(task: Omit<ProveTask, 'task' | 'packagesFolder'>, options: ProveRunOptions): Promise<Proven>
  /** A result with what a stopped prover had reported of it. */
  attachUnfinished(task: Omit<UnfinishedProofTask, 'task'>, options: RunOptions): Promise<Proven>
  /** Undefined: no attack on such a finding is known. */
  foundryTest(
    task: Omit<FoundryTestTask, 'task' | 'packagesFolder'>,
    options: RunOptions,
  ): Promise<Uint8Array | undefined>
  prepareQuestion(task: Omit<AiPromptTask, 'task'>, options: RunOptions): Promise<AiQuestion>
  /** Undefined when the model's words cannot be used. */
  mergeAnswer(task: Omit<AiMergeTask, 'task'>, options: RunOptions): Promise<AiMerged | undefined>
  /** Seconds after which to come back, when a task of this owner would be refused now: known before a body is read. */
  secondsUntilRoom(owner: Owner): number | undefined
  readonly running: number
  readonly waiting: number
  close(): Promise<void>
}

/** Of a project it is reported how many of its files are analysed. */
export type ScanRunOptions = Omit<RunOptions, 'onProgress'> & {
  readonly onProgress?: ((progress: FileProgress) => void) | undefined
  /** Nobody waits for it: it may take longer. */
  readonly isQueued?: boolean | undefined
}

/** Called for each finding as soon as it is known; what is reported twice holds as it was reported last. */
export type ProveRunOptions = Omit<RunOptions, 'onProgress'> & {
  readonly onEvidence?: ((part: EvidenceProgress) => void) | undefined
}

export type AnalysisSettings = Pick<
  Config,
  'scanWorkers' | 'scanTimeoutMs' | 'scanMemoryMb' | 'scanQueue' | 'scanWaitMs'
>

const proofMemoryMb = 1_536

/** Of a scan that someone waits for, so many times its CPU time; the job that runs it ends after ten minutes. */
const QUEUED_FACTOR = 4
const queuedWallMs = 540_000

const queuedDeadline = (timeoutMs: number): Deadline => ({ cpuMs: QUEUED_FACTOR * timeoutMs, mostWallMs: queuedWallMs })

/** The rest is for reading the sources and writing the result: a scan that stops by itself delivers what it has. */
const ANALYSIS_PART = 0.8

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
  const { onUsed, onReplaced } = observer ?? {}
  // Compilers and the EVM need more of everything, and nobody waits for a scan because of a proof. Started by the first request.
  let provers: Pool | undefined
  const prover = (): Pool => {
    provers ??= createPool({
      workerFile: findWorkerFile('prove-worker'),
      workers: 1,
      timeoutMs: mostProofMs,
      memoryMb: proofMemoryMb,
      maxWaiting: settings.scanQueue,
      maxWaitMs: settings.scanWaitMs,
      observer: { onStart() {}, onEnd() {}, ...(onUsed && { onUsed }), ...(onReplaced && { onReplaced }) },
    })
    return provers
  }
  return {
    prove: (task, { onEvidence, ...options }) =>
      prover().run<Proven>({ task: 'prove', ...task, packagesFolder: findPackages() } satisfies ProveTask, {
        ...options,
        deadline: proofDeadline(task.budgetMs),
        onProgress: (part) => onEvidence?.(part as EvidenceProgress),
      }),
    attachUnfinished: (task, options) =>
      pool.run<Proven>({ task: 'unfinished-proof', ...task } satisfies UnfinishedProofTask, options),
    foundryTest: (task, options) =>
      prover().run<Uint8Array | undefined>(
        { task: 'foundry-test', ...task, packagesFolder: findPackages() } satisfies FoundryTestTask,
        options,
      ),
    unpack: (task, options) => pool.run<Unpacked>({ task: 'unpack', ...task } satisfies UnpackTask, options),
    split: (task, options) => pool.run<Split>({ task: 'split', ...task } satisfies SplitTask, options),
    scan: async (task, { onProgress, isQueued, ...options }) => {
      const deadline = isQueued ? queuedDeadline(settings.scanTimeoutMs) : undefined
      const limitMs = deadline?.cpuMs ?? settings.scanTimeoutMs
      const cpuMs = ANALYSIS_PART * limitMs
      const outcome = await pool.run<ScanOutcome | OutOfTime>({ task: 'scan', ...task, cpuMs } satisfies ScanTask, {
        ...options,
        deadline,
        onProgress: (progress) => onProgress?.(progress as FileProgress),
      })
      if (outcome.outcome === 'out-of-time') throw new TaskOverrun('timeout', { limitMs })
      return outcome
    },
    render: (task, options) => pool.run<Uint8Array>({ task: 'render', ...task } satisfies RenderTask, options),
    withhold: (task, options) => pool.run<Uint8Array>({ task: 'withhold', ...task } satisfies WithholdTask, options),
    page: (task, options) => pool.run<FindingsPage>({ task: 'page', ...task } satisfies PageTask, options),
    fix: (task, options) =>
      pool.run<Uint8Array>({ task: 'fix', ...task } satisfies FixTask, {
        ...options,
        // The scan itself, and what it takes to try patches.
        deadline: queuedDeadline(settings.scanTimeoutMs),
      }),
    prepareQuestion: (task, options) =>
      pool.run<AiQuestion>({ task: 'ai-prompt', ...task } satisfies AiPromptTask, options),
    mergeAnswer: (task, options) =>
      pool.run<AiMerged | undefined>({ task: 'ai-merge', ...task } satisfies AiMergeTask, options),
    secondsUntilRoom: pool.secondsUntilRoom,
    get running() {
      return pool.running + (provers?.running ?? 0)
    },
    get waiting() {
      return pool.waiting + (provers?.waiting ?? 0)
    },
    close: async () => {
      await Promise.all([pool.close(), provers?.close()])
    },
  }
}
