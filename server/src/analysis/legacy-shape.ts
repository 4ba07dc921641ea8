import type { ScanResult } from '@assay/engine'

/** The earlier shape of a result: `success` was a string and identifiers were bare numbers. */
export interface LegacyResult {
  readonly success: string
  readonly message: string
  readonly file: string
  readonly vulnerabilitiesCount: number
  readonly dataVulnerabilities: readonly { readonly vulnerabilityId: number }[]
}

export const toLegacy = ({ file, vulnerabilitiesCount, dataVulnerabilities }: ScanResult): LegacyResult => ({
  success: 'File scanned successfully.',
  message: `${vulnerabilitiesCount} ${vulnerabilitiesCount === 1 ? 'vulnerability' : 'vulnerabilities'} found. This endpoint is deprecated: use POST /api/v1/scan, which says where and why.`,
  file,
  vulnerabilitiesCount,
  dataVulnerabilities: dataVulnerabilities.map(({ vulnerabilityId }) => ({
    vulnerabilityId: Number(vulnerabilityId.replace(/^SWC-/, '')),
  })),
})
