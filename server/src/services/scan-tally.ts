import { type Tally, tally } from '@assay/engine'
import type { FoundRow } from '../analysis/tasks.ts'
import type { ScanTable } from '../stores/schema.ts'

/** Of what a scan found, as records keep it. */
export function tallyFound(found: readonly FoundRow[], suppressed: number): Tally {
  const inSwc = found.filter(({ kind }) => kind === 'vulnerability')
  const others = found.filter(({ kind }) => kind === 'advisory')
  const marked = others.map(({ severity, confidence }) => ({
    severity,
    ...(confidence === 'low' && { kind: 'review' }),
  }))
  return tally([{ dataVulnerabilities: inSwc, advisories: marked, suppressed: Array(suppressed).fill(null) }])
}

/** Null for scans made before it was kept. */
export const readTally = (scan: Pick<ScanTable, 'tally'>): Tally | null =>
  scan.tally ? (JSON.parse(scan.tally) as Tally) : null

/** Critical and high findings; of an older scan those of the SWC list. */
export function severeOf(scan: Pick<ScanTable, 'tally' | 'critical' | 'high'>): { critical: number; high: number } {
  const { critical, high } = readTally(scan)?.bySeverity ?? scan
  return { critical, high }
}
