import type { Analysis } from '../analysis/analysis.ts'
import { PoolFull } from '../analysis/pool.ts'
import { refusalOf, refuse } from '../core/errors.ts'

const BUSY_SECONDS = 2

/** No contract can be larger than its file, so most files need no measuring. */
export async function checkContractSize(
  { analysis }: { readonly analysis: Analysis },
  source: Uint8Array,
  maxBytes: number,
): Promise<void> {
  if (source.length <= maxBytes) return
  const size = await analyse(analysis.measure(source))
  if (size > maxBytes) refuse('contractTooLarge', maxBytes)
}

/** Too many waiting is no fault of the scan. */
export async function analyse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof PoolFull ? refusalOf('scanQueueFull', BUSY_SECONDS) : error
  }
}
