import { PoolFull } from '../analysis/pool.ts'
import type { Scanned, ScanOutcome } from '../analysis/tasks.ts'
import { refusalOf, refuse } from '../core/errors.ts'

const BUSY_SECONDS = 2

/** Too many waiting is no fault of the scan. */
export async function analyse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof PoolFull ? refusalOf('scanQueueFull', BUSY_SECONDS) : error
  }
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
