import type { ScanResult, WireFinding } from '@assay/engine'

type Shown = ScanResult & { readonly origin?: unknown; readonly aiAnalysis?: unknown; readonly baseline?: Baseline }
interface Baseline {
  readonly fixed: readonly WireFinding[]
}

/**
 * A result for readers who may not see the source: without the lines that are quoted, the comments that set findings aside, the tests that
 * hold the contract, where the source lies, and the words of a model, which quotes as it likes. Names and line numbers stay.
 */
export function withoutSource({ origin: _origin, aiAnalysis: _analysis, baseline, ...result }: Shown): object {
  return {
    ...result,
    dataVulnerabilities: result.dataVulnerabilities.map(withoutQuotes),
    advisories: result.advisories.map(withoutQuotes),
    suppressed: result.suppressed.map((finding) => ({
      ...withoutQuotes(finding),
      suppression: { ...finding.suppression, comment: '', reason: null },
    })),
    parseErrors: result.parseErrors.map((error) => ({ ...error, message: 'This part could not be read.' })),
    ...(baseline && { baseline: { ...baseline, fixed: baseline.fixed.map(withoutQuotes) } }),
  }
}

/** The record is the account's own. */
const withoutQuotes = <F extends WireFinding>({ record: _, ...finding }: F & { readonly record?: unknown }): F => ({
  ...(finding as unknown as F),
  snippet: '',
  ...(finding.evidence && { evidence: { ...finding.evidence, foundryTest: null } }),
})
