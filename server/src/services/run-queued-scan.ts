import type { FileProgress } from '@assay/engine'
import { elapsedMs } from '../core/clock.ts'
import { DatabaseAway, Refusal, refuse } from '../core/errors.ts'
import type { Lifecycle } from '../core/lifecycle.ts'
import { accountReference } from '../core/log.ts'
import { inLogContext } from '../core/log-context.ts'
import { readStoredSubmission } from '../core/sources/stored-submission.ts'
import { type Attempt, NotYet } from '../queue/job.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import type { ScanRequestTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { isStarved } from './analyse.ts'
import { getLimits } from './limits.ts'
import { reasonOf } from './new-scan-request.ts'
import type { StoredOptions } from './queue-scans.ts'
import { describeAttempt, performScan, type RunScanDeps, readBaseline } from './run-scan.ts'
import { freePlace } from './scan-quota.ts'
import type { ScanWatch } from './scan-watch.ts'

export interface QueuedScanDeps extends RunScanDeps {
  readonly scanWatch: ScanWatch
  /** Ids of the queued scans that this process works on. */
  readonly scansAtHand: Set<string>
}

export interface QueuedScansDeps extends QueuedScanDeps {
  readonly lifecycle: Pick<Lifecycle, 'isStopping'>
}

/**
 * A scan that was under way when this many processes were lost, or that had to give way so often, is not begun again. The engine runs in
 * processes of its own, whose ends do not count here: a service that is gone was most likely killed by others, and the scan is innocent. The
 * bound ends the one that is not.
 */
const MAX_ATTEMPTS = 10
/** How often a process looks whether a scan that it works on was cancelled by another. */
const LOOK_MS = 1000

/** Another process has it, or nobody wants it any more. */
class ScanTakenOver extends Error {}

/** After this long a turn goes back among those that wait. */
const TURN_MS = 60_000

/** Brings scans to an end as long as some wait, one after the other. */
export async function runQueuedScans(
  deps: QueuedScansDeps,
  attempt: Pick<Attempt, 'signal' | 'stopping'>,
): Promise<void> {
  const begunAt = elapsedMs()
  while (await runQueuedScan(deps, attempt))
    if (deps.lifecycle.isStopping || attempt.stopping.aborted || elapsedMs() - begunAt > TURN_MS) throw new NotYet(0)
}

/** Begins the scan whose turn it is and brings it to an end; false when none waits. */
export async function runQueuedScan(
  deps: QueuedScanDeps,
  { signal, stopping }: Pick<Attempt, 'signal' | 'stopping'>,
): Promise<boolean> {
  const taken = await createScanRequestStore(deps.db).take(deps.instanceId, deps.clock.now().getTime())
  if (!taken) return false
  const context = { requestId: readOptions(taken).requestId, scanId: taken.id }
  await inLogContext(context, () => finishScan(deps, taken, { signal, stopping }))
  return true
}

async function finishScan(
  deps: QueuedScanDeps,
  taken: ScanRequestTable,
  { signal, stopping }: Pick<Attempt, 'signal' | 'stopping'>,
): Promise<void> {
  const begunAt = elapsedMs()
  deps.scansAtHand.add(taken.id)
  deps.scanWatch.notify(taken.id)
  const watching = watchOver(deps, taken, AbortSignal.any([signal, stopping]))
  try {
    await perform(deps, taken, watching.signal)
    const ms = Math.round(elapsedMs() - begunAt)
    deps.log.info({ account: accountReference(taken.account_id), attempt: taken.attempts, ms }, 'queued scan completed')
  } catch (error) {
    await settle(deps, taken, error, stopping)
  } finally {
    watching.end()
    deps.scansAtHand.delete(taken.id)
    deps.scanWatch.notify(taken.id)
  }
}

const readOptions = (taken: ScanRequestTable): StoredOptions => JSON.parse(taken.options) as StoredOptions

/** Aborts when the scan was cancelled here or elsewhere. */
function watchOver({ db, instanceId, scanWatch }: QueuedScanDeps, { id }: ScanRequestTable, given: AbortSignal) {
  const cancelled = new AbortController()
  const look = async (): Promise<void> => {
    if (!(await createScanRequestStore(db).isHeldBy(id, instanceId))) cancelled.abort()
  }
  // A look that fails is followed by another.
  const onLook = (): void => void look().catch(() => {})
  const timer = setInterval(onLook, LOOK_MS).unref()
  const forget = scanWatch.listen(id, onLook)
  return {
    signal: AbortSignal.any([given, cancelled.signal]),
    end(): void {
      clearInterval(timer)
      forget()
    },
  }
}

async function perform(deps: QueuedScanDeps, taken: ScanRequestTable, signal: AbortSignal): Promise<void> {
  const { id, account_id: accountId } = taken
  const requests = createScanRequestStore(deps.db)
  if (taken.attempts > MAX_ATTEMPTS) throw new Error('The scan was begun too often without an end.')
  const limits = await getLimits(deps, accountId)
  const stored = (await requests.findUpload(id)) ?? refuse('scanNotFound')
  const submission = await readStoredSubmission(stored)
  const { requestId: _, ...options } = { via: null, ...readOptions(taken) }
  const how = { format: 'json', isQueued: true, onProgress: noteProgress(deps, id) } as const
  const request = { accountId, limits, signal, tries: taken.attempts - 1, ...how, ...options }
  const at = new Date(taken.created_at)
  const place = { scanId: id, at, scansToday: taken.scans_today, charge: (tx: Db) => complete(deps, tx, id) }
  const batchId = taken.batch_id ?? undefined
  const attempt = { ...describeAttempt(request, submission), batchId, isFailure: () => true }
  const baseline = await readBaseline(deps, request)
  await performScan(deps, request, { attempt, place, submission, baseline })
}

/** Keeps the latest that is known, one statement at a time: a scan is never held up by telling how far it got. */
function noteProgress(
  { db, instanceId, scanWatch, log }: QueuedScanDeps,
  id: string,
): (progress: FileProgress) => void {
  let latest: FileProgress | undefined
  let isWriting = false
  const write = async (): Promise<void> => {
    for (let next = latest; next; next = latest) {
      latest = undefined
      await createScanRequestStore(db).noteProgress(id, instanceId, next.filesDone, next.files)
      scanWatch.notify(id)
    }
  }
  return (progress) => {
    latest = progress
    // Of one file there is nothing to tell but its end.
    if (isWriting || progress.files <= 1) return
    isWriting = true
    write()
      .catch((error: unknown) => log.warn({ err: error, scanId: id }, 'the progress of a scan could not be noted'))
      .finally(() => {
        isWriting = false
      })
  }
}

/** The one gate to a result: of all that may have worked on a scan, only its present holder passes, once. */
async function complete(deps: QueuedScanDeps, tx: Db, id: string): Promise<void> {
  const at = deps.clock.now().getTime()
  const ending = { status: 'completed', reason: null, at } as const
  if (!(await createScanRequestStore(tx).endHeld(id, deps.instanceId, ending))) throw new ScanTakenOver()
}

const RETRY_SECONDS = 2

async function settle(
  deps: QueuedScanDeps,
  taken: ScanRequestTable,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  if (error instanceof ScanTakenOver) return
  // It stays at this process until its end is known: the queue's sweep puts it back.
  if (error instanceof DatabaseAway) throw error
  const isTurnedAway =
    error instanceof Refusal && (error.refusal === 'scanQueueFull' || error.refusal === 'shuttingDown')
  if (isTurnedAway || isStarved(error)) {
    const tries = isTurnedAway ? taken.attempts - 1 : taken.attempts
    const isStillHeld = await createScanRequestStore(deps.db).giveBack(taken.id, deps.instanceId, tries)
    if (isStillHeld) throw new NotYet(stopping.aborted ? 0 : RETRY_SECONDS)
    return
  }
  deps.log.warn({ err: error, account: accountReference(taken.account_id) }, 'a queued scan failed')
  await fail(deps, taken, error)
}

/** Kept with its reason, reported to its owner, and not charged. */
async function fail(deps: QueuedScanDeps, { id, account_id: accountId }: ScanRequestTable, error: unknown) {
  const limits: Limits = await getLimits(deps, accountId)
  await transaction(deps.db, async (tx) => {
    const ending = { status: 'failed', reason: reasonOf(error), at: deps.clock.now().getTime() } as const
    const ended = await createScanRequestStore(tx).endHeld(id, deps.instanceId, ending)
    if (!ended) return
    await freePlace(tx, ended)
    await deps.announceScan(tx, {
      status: 'failed',
      kind: ended.kind,
      accountId,
      limits,
      scanId: id,
      fileName: ended.file_name,
      at: new Date(ended.created_at),
    })
  })
}
