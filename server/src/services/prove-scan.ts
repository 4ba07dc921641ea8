import { notAttempted } from '@assay/prover'
import { PoolFull, type RunOptions, TaskAbandoned, TaskOverrun } from '../analysis/pool.ts'
import type {
  AnswerFormat,
  EvidenceProgress,
  Proven,
  Scanned,
  ScanTask,
  UnfinishedProofTask,
} from '../analysis/tasks.ts'
import { refusalOf } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { PlanName } from '../core/plans.ts'
import type { Limits } from './admission.ts'
import { type AnalyseDeps, countOverrun, ownerOf } from './analyse.ts'

/** CPU time for all findings of one scan; those that are left over were not attempted. */
export const proofBudgetMs: Record<PlanName, number> = { free: 10_000, basic: 20_000, pro: 40_000 }

type ProveDeps = AnalyseDeps & { readonly log: Log }

interface ProofRequest {
  readonly accountId: string
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly format: AnswerFormat
}

/** The same scan with evidence on its findings. Whatever happens to the prover, the scan has its result, as long as someone waits for it. */
export async function proveScan(
  deps: ProveDeps,
  request: ProofRequest,
  scanned: Scanned,
  { scanId, scannedAt, setAside, labels }: Pick<ScanTask, 'scanId' | 'scannedAt' | 'setAside' | 'labels'>,
): Promise<Scanned> {
  const { accountId, limits, signal, format } = request
  const task = {
    source: scanned.storedSource,
    result: scanned.storedResult,
    budgetMs: proofBudgetMs[limits.plan],
    format,
    scannedAt,
    setAside,
    labels,
  }
  const owner = ownerOf(accountId, limits)
  const received: Uint8Array[] = []
  const onEvidence = ({ index, evidence }: EvidenceProgress): void => {
    received[index] = evidence
  }
  try {
    return { ...scanned, ...(await deps.analysis.prove(task, { owner, signal, onEvidence })) }
  } catch (error) {
    await countOverrun(deps, accountId, error)
    if (error instanceof TaskAbandoned) throw refusalOf('shuttingDown')
    deps.log.warn({ err: error, scanId }, 'the prover did not finish a scan')
    const rest = Buffer.from(JSON.stringify(notAttempted(whyUnfinished(error))))
    const unfinished = {
      result: scanned.storedResult,
      received: [...received],
      rest,
      format,
      scannedAt,
      setAside,
      labels,
    }
    return { ...scanned, ...(await keepReceived(deps, unfinished, { owner, signal }, scanId)) }
  }
}

/** Nothing where even that finds no place: the findings are worth more than what was tried of them. */
async function keepReceived(
  { analysis, log }: ProveDeps,
  task: Omit<UnfinishedProofTask, 'task'>,
  options: RunOptions,
  scanId: string,
): Promise<Proven | undefined> {
  try {
    return await analysis.attachUnfinished(task, options)
  } catch (error) {
    if (error instanceof TaskAbandoned) throw refusalOf('shuttingDown')
    log.warn({ err: error, scanId }, 'what the prover had told of a scan was lost')
    return undefined
  }
}

const overruns: Record<TaskOverrun['overrun'], string> = {
  timeout: 'ran out of time',
  starved: 'ran out of time',
  memory: 'ran out of memory',
  crash: 'broke off',
}

/** In the words of anyone who reads the finding. */
function whyUnfinished(error: unknown): string {
  if (error instanceof PoolFull) return `too many proofs are under way; scan again in ${error.retryAfterSeconds} s`
  if (error instanceof TaskOverrun) return `the prover ${overruns[error.overrun]}`
  return 'the prover failed'
}
