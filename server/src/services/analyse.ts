import type { Analysis } from '../analysis/analysis.ts'
import { type Owner, PoolFull, TaskAbandoned, TaskOverrun } from '../analysis/pool.ts'
import type { Scanned, ScanOutcome } from '../analysis/tasks.ts'
import type { Clock } from '../core/clock.ts'
import { refusalOf, refuse } from '../core/errors.ts'
import { planNames } from '../core/plans.ts'
import type { Limits } from './admission.ts'
import { assertNotThrottled, count, type ThrottleDeps } from './throttle.ts'
import { assertWorkLeft, type WorkDeps } from './work-meter.ts'

export interface AnalyseDeps extends ThrottleDeps, WorkDeps, OverrunCounter {
  readonly clock: Clock
  readonly analysis: Analysis
}

/** Pro before basic before free. */
export const ownerOf = (accountId: string, { plan }: Pick<Limits, 'plan'>): Owner => ({
  account: accountId,
  rank: planNames.length - 1 - planNames.indexOf(plan),
})

/** Said before anything of a body is read: what would have to wait for too long is better reported at once. */
export function assertRoom({ analysis }: Pick<AnalyseDeps, 'analysis'>, owner: Owner): void {
  const seconds = analysis.secondsUntilRoom(owner)
  if (seconds !== undefined) refuse('scanQueueFull', seconds)
}

/** An account whose scans keep running into their limits, or that has used up its CPU time, pauses for a while. */
export async function assertMayWork(
  deps: ThrottleDeps & WorkDeps,
  accountId: string,
  limits: Pick<Limits, 'plan'>,
): Promise<void> {
  await assertNotThrottled(deps, 'overruns', accountId)
  await assertWorkLeft(deps, accountId, limits)
}

/** Of what was given up, or stopped because the machine was slow, this much work counts. */
const COUNTED_MS = 1_000

/** Whether the task itself is to blame for how it ended: it took too much, or was given up after a second of work. */
function isOverrun(error: unknown): boolean {
  if (error instanceof TaskAbandoned) return error.isGivenUp && error.cpuMs >= COUNTED_MS
  if (!(error instanceof TaskOverrun)) return false
  return error.overrun !== 'starved' || error.cpuMs === undefined || error.cpuMs >= COUNTED_MS
}

interface OverrunCounter {
  readonly metrics?: { readonly overruns: { inc(): void } } | undefined
}

/** Counts what a task failed with against its account, if it is an overrun. To be called wherever such an error is not handed to `analyse`. */
export async function countOverrun(
  deps: ThrottleDeps & OverrunCounter,
  account: string,
  error: unknown,
): Promise<void> {
  if (!isOverrun(error)) return
  deps.metrics?.overruns.inc()
  await count(deps, 'overruns', account)
}

/** A scan that delivered only a part has used all of its time too. */
export const countCutShort = (deps: ThrottleDeps & OverrunCounter, account: string): Promise<void> =>
  countOverrun(deps, account, new TaskOverrun('timeout'))

/** What a task is refused with that had to give way: another try may find a machine that is less busy. */
const STARVED_SECONDS = 5

export const isStarved = (error: unknown): boolean => error instanceof TaskOverrun && error.overrun === 'starved'

/**
 * Waits for a worker's answer; too many waiting, or nobody left who waits, is no fault of the task. One that is tried again by itself is not
 * counted for having had to give way.
 */
export async function analyse<T>(
  deps: ThrottleDeps & OverrunCounter,
  { account }: Owner,
  work: Promise<T>,
  { isRetried = false } = {},
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PoolFull) throw refusalOf('scanQueueFull', error.retryAfterSeconds)
    if (isRetried && isStarved(error)) throw error
    await countOverrun(deps, account, error)
    if (isStarved(error)) throw refusalOf('scanQueueFull', STARVED_SECONDS)
    if (error instanceof TaskAbandoned) throw refusalOf('shuttingDown')
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
