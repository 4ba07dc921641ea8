import type { ScanResult } from '@assay/engine'
import type { Recorded } from './records.ts'
import type { FoundRow } from './tasks.ts'

/** The files that were analyzed to their end. */
export function listLookedAt({ files, completeness }: ScanResult, fileName: string): string[] {
  const read = files ?? [{ path: fileName, completeness }]
  return read.filter((file) => file.completeness === 'full').map(({ path }) => path)
}

/** What a result holds, as records keep it. */
export const toFound = ({ dataVulnerabilities, advisories }: ScanResult, fileName: string): FoundRow[] => [
  ...dataVulnerabilities.map((finding) => toRow(finding, fileName, 'vulnerability')),
  ...advisories.map((finding) => toRow(finding, fileName, 'advisory')),
]

const toRow = (
  finding: Recorded & { readonly vulnerabilityId?: string },
  fileName: string,
  kind: FoundRow['kind'],
): FoundRow => ({
  id: finding.record?.id ?? '',
  file: finding.file ?? fileName,
  fingerprint: finding.fingerprint,
  kind,
  vulnerability_id: finding.vulnerabilityId ?? null,
  detector: finding.detector,
  severity: finding.severity,
  confidence: finding.confidence,
  title: finding.title,
  message: finding.message,
  contract: finding.contract,
  function: finding.function,
  line: finding.line,
  alsoIn: [...new Set(finding.places?.flatMap(({ file }) => file ?? []))],
})
