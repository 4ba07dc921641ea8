import type { ScanResult } from '@assay/engine'

/** The earlier shape of a result: `success` was a string and identifiers were bare numbers. */
export interface LegacyResult {
  readonly success: string
  readonly message: string
  readonly file: string
  readonly vulnerabilitiesCount: number
  readonly dataVulnerabilities: readonly { readonly vulnerabilityId: number }[]
}

type LegacySource = Pick<ScanResult, 'file' | 'message' | 'vulnerabilitiesCount' | 'dataVulnerabilities'>

export const toLegacy = ({ file, message, vulnerabilitiesCount, dataVulnerabilities }: LegacySource): LegacyResult => ({
  success: 'File scanned successfully.',
  message: `${message} This endpoint is deprecated: use POST /api/v1/scan, which says where and why.`,
  file,
  vulnerabilitiesCount,
  dataVulnerabilities: dataVulnerabilities.map(({ vulnerabilityId }) => ({
    vulnerabilityId: Number(vulnerabilityId.replace(/^SWC-/, '')),
  })),
})
