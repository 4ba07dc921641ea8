import type { AnswerFormat, Proven, Scanned, ScanTask } from '../analysis/tasks.ts'
import type { Log } from '../core/log.ts'
import type { PlanName } from '../core/plans.ts'
import type { Limits } from './admission.ts'
import { type AnalyseDeps, ownerOf } from './analyse.ts'

/** CPU time for all findings of one scan; those that are left over were not attempted. */
export const proofBudgetMs: Record<PlanName, number> = { free: 10_000, basic: 20_000, pro: 40_000 }

interface ProofRequest {
  readonly accountId: string
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly format: AnswerFormat
}

/** The same scan with evidence on its findings. Whatever happens to the prover, the scan has its result. */
export async function proveScan(
  deps: AnalyseDeps & { readonly log: Log },
  request: ProofRequest,
  scanned: Scanned,
  { scanId, scannedAt, setAside }: Pick<ScanTask, 'scanId' | 'scannedAt' | 'setAside'>,
): Promise<Scanned> {
  const { accountId, limits, signal, format } = request
  const task = {
    source: scanned.storedSource,
    result: scanned.storedResult,
    budgetMs: proofBudgetMs[limits.plan],
    format,
    scannedAt,
    setAside,
  }
  try {
    const proven: Proven = await deps.analysis.prove(task, { owner: ownerOf(accountId, limits), signal })
    return { ...scanned, ...proven }
  } catch (error) {
    deps.log.warn({ err: error, scanId }, 'the findings of a scan could not be handed to the prover')
    return scanned
  }
}
