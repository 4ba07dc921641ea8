import { refuse } from '../core/errors.ts'
import { isFinal, type ScanStatus } from '../core/scan-status.ts'
import { findProgress, findResultProgress, type HistoryDeps, type ScanProgress } from './history.ts'
import type { ScanWatch } from './scan-watch.ts'

export interface FollowScanDeps extends HistoryDeps {
  readonly scanWatch: ScanWatch
}

/** How far a scan got, at one moment. */
export interface ScanState {
  /** The same as long as nothing changes. */
  readonly id: string
  readonly status: ScanStatus
  readonly scan: ScanProgress
}

export interface Following {
  readonly accountId: string
  readonly scanId: string
  /** What the client saw last, if it was there before. */
  readonly lastId: string | undefined
  /** Fires when nobody listens any more, or nobody may. */
  readonly signal: AbortSignal
}

/** What other replicas change is seen after this long. */
const LOOK_MS = 1000

/** The state of a scan of the account's own; refuses any other. */
export const getState = async (deps: FollowScanDeps, accountId: string, scanId: string): Promise<ScanState> =>
  (await findState(deps, accountId, scanId)) ?? refuse('scanNotFound')

async function findState(deps: FollowScanDeps, accountId: string, scanId: string): Promise<ScanState | undefined> {
  const found = await findProgress(deps, accountId, scanId)
  if (found) {
    const { scan, revision } = found
    return { id: `${revision}.${scan.position ?? 0}`, status: scan.status, scan }
  }
  const scan = await findResultProgress(deps, accountId, scanId)
  return scan && { id: 'completed', status: scan.status, scan }
}

/**
 * Every change of a scan until its end, beginning with how it stands now, unless the client knows that already. The store is what is read, so
 * that any replica can tell of the work of any other; what happens in between two looks is not made up for.
 */
export async function* followScan(deps: FollowScanDeps, following: Following): AsyncGenerator<ScanState> {
  const { accountId, scanId, signal } = following
  const change = listen(deps.scanWatch, scanId, signal)
  let { lastId } = following
  try {
    while (!signal.aborted) {
      const state = await findState(deps, accountId, scanId)
      if (!state) return
      if (state.id !== lastId) yield state
      lastId = state.id
      if (isFinal(state.status)) return
      await change.next()
    }
  } finally {
    change.end()
  }
}

/** A bell that rings for what happens here, and now and then for what may have happened elsewhere. */
function listen(watch: ScanWatch, scanId: string, signal: AbortSignal) {
  let hasRung = false
  let wake = (): void => {}
  const ring = (): void => {
    hasRung = true
    wake()
  }
  const timer = setInterval(ring, LOOK_MS)
  const forget = watch.listen(scanId, ring)
  signal.addEventListener('abort', ring)
  return {
    async next(): Promise<void> {
      if (!hasRung && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      hasRung = false
    },
    end(): void {
      clearInterval(timer)
      forget()
      signal.removeEventListener('abort', ring)
    },
  }
}
