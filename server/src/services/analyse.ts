import type { Analysis } from '../analysis/analysis.ts'
import { type Owner, PoolFull, TaskAbandoned, TaskOverrun } from '../analysis/pool.ts'
import type { Scanned, ScanOutcome } from '../analysis/tasks.ts'
import { refusalOf, refuse } from '../core/errors.ts'
import { planNames } from '../core/plans.ts'
import type { Limits } from './admission.ts'
import { assertNotThrottled, count, type ThrottleDeps } from './throttle.ts'

export interface AnalyseDeps extends ThrottleDeps {
  readonly analysis: Analysis
}

/** Pro before basic before free. */
export const ownerOf = (accountId: string, { plan }: Pick<Limits, 'plan'>): Owner => ({
  account: accountId,
  rank: planNames.length - 1 - planNames.indexOf(plan),
})

/** Said before anything of a body is read: what would have to wait for too long is better told at once. */
export function assertRoom({ analysis }: Pick<AnalyseDeps, 'analysis'>, owner: Owner): void {
  const seconds = analysis.secondsUntilRoom(owner)
  if (seconds !== undefined) refuse('scanQueueFull', seconds)
}

/** An account whose scans keep running into their limits pauses for a while. */
export const assertNoOverruns = (deps: ThrottleDeps, accountId: string): Promise<void> =>
  assertNotThrottled(deps, 'overruns', accountId)

/** Waits for a worker's answer; too many waiting, or nobody left who waits, is no fault of the task. */
export async function analyse<T>(deps: ThrottleDeps, { account }: Owner, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PoolFull) throw refusalOf('scanQueueFull', error.retryAfterSeconds)
    if (error instanceof TaskAbandoned) throw refusalOf('shuttingDown')
    if (error instanceof TaskOverrun) await count(deps, 'overruns', account)
    throw error
  }
}

/** Nobody reads what is answered to a client that is gone: nothing is stored, and nothing charged. */
export function assertStillThere(signal: AbortSignal): void {
  if (signal.aborted) refuse('shuttingDown')
}

/** The result of a scan, or the reason why there is none. */
export function expectScanned(outcome: ScanOutcome, maxContractBytes: number): Scanned {
  switch (outcome.outcome) {
    case 'scanned':
      return outcome
    case 'contract-too-large':
      return refuse('contractTooLarge', maxContractBytes)
    case 'unreadable':
      return refuse('notSolidity', outcome.line, outcome.reason)
  }
}
