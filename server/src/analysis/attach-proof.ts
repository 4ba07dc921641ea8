import { attachEvidence, type Evidence, type ScanResult } from '@assay/engine'
import { pack } from '../core/stored.ts'
import { renderReport } from './render.ts'
import type { Proven, ProveTask } from './tasks.ts'

const encoder = new TextEncoder()

/** A result with evidence, as it is answered and as it is stored. */
export function attachProof(
  result: ScanResult,
  evidence: readonly (Evidence | undefined)[],
  { format, scannedAt, setAside = [], labels }: Pick<ProveTask, 'format' | 'scannedAt' | 'setAside' | 'labels'>,
): Proven {
  const proven = attachEvidence(result, evidence)
  const body = encoder.encode(renderReport(proven, format, scannedAt, setAside, labels))
  const storedResult = pack(encoder.encode(JSON.stringify(proven)))
  return { body, storedResult, storedBody: pack(body) }
}
