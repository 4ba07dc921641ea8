import { attachEvidence, type Evidence, type ScanResult } from '@assay/engine'
import { pack } from '../core/stored.ts'
import { renderReport } from './render.ts'
import type { Proven, ProveTask } from './tasks.ts'

const encoder = new TextEncoder()

/** A result with evidence, as it is answered and as it is stored. */
export function attachProof(
  result: ScanResult,
  evidence: readonly (Evidence | undefined)[],
  { format, scannedAt, setAside = [] }: Pick<ProveTask, 'format' | 'scannedAt' | 'setAside'>,
): Proven {
  const proven = attachEvidence(result, evidence)
  const json = encoder.encode(JSON.stringify(proven))
  const isAsStored = format === 'json' && setAside.length === 0
  const body = isAsStored ? json : encoder.encode(renderReport(proven, format, scannedAt, setAside))
  const storedResult = pack(json)
  return { body, storedResult, storedBody: body === json ? storedResult : pack(body) }
}
