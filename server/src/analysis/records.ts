import type { ScanResult, WireFinding } from '@assay/engine'
import { newSortableId } from '../core/ids.ts'
import type { KnownFinding, StatedFinding } from './tasks.ts'

/** A finding with the record that keeps it; its state is known only when someone reads it. */
export type Recorded = WireFinding & { readonly record?: { readonly id: string; readonly state?: string } }

const nameOf = (file: string, fingerprint: string): string => `${file}\n${fingerprint}`

/** The same result, each finding with the id of its record: one that it has, or a new one. */
export function withRecords(result: ScanResult, known: readonly KnownFinding[], at: Date): ScanResult {
  const ids = new Map(known.map(({ id, file, fingerprint }) => [nameOf(file, fingerprint), id]))
  const home = result.fileName ?? result.file
  const recorded = <T extends WireFinding>(finding: T): T & Recorded => {
    const name = nameOf(finding.file ?? home, finding.fingerprint)
    const id = ids.get(name) ?? newSortableId('finding', at)
    ids.set(name, id)
    return { ...finding, record: { id } }
  }
  return {
    ...result,
    dataVulnerabilities: result.dataVulnerabilities.map(recorded),
    advisories: result.advisories.map(recorded),
  }
}

/** A finding as it is shown, with the record that keeps it now. */
export function statedBy(records: readonly StatedFinding[], home: string) {
  const known = new Map(records.map((record) => [nameOf(record.file, record.fingerprint), record]))
  return <T extends WireFinding>(finding: T): T & Recorded => {
    const record = known.get(nameOf(finding.file ?? home, finding.fingerprint))
    const { record: _, ...rest } = finding as T & Recorded
    return (record ? { ...rest, record: { id: record.id, state: record.state } } : rest) as T & Recorded
  }
}
