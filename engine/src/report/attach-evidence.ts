import type { Evidence } from './evidence.ts'
import type { ScanResult, WireVulnerability } from './wire.ts'

/** Puts evidence on the weaknesses of a result, in their order; nothing else of the result changes. */
export const attachEvidence = (result: ScanResult, evidence: readonly (Evidence | undefined)[]): ScanResult => ({
  ...result,
  dataVulnerabilities: result.dataVulnerabilities.map((finding, index): WireVulnerability => {
    const own = evidence[index]
    return own ? { ...finding, evidence: own } : finding
  }),
})
