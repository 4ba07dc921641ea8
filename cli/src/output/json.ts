import { toScanResult } from '@assay/engine'
import { contentId } from '../content-id.ts'
import { isScanned, type Outcome } from '../scan-outcome.ts'

/** The service's scan result for each file, with its path; a file without one has `error` instead. */
export function toJson(outcomes: readonly Outcome[]): string {
  return `${JSON.stringify({ files: outcomes.map(toEntry) }, null, 2)}\n`
}

function toEntry(outcome: Outcome): object {
  const { path } = outcome
  if (!isScanned(outcome)) return { path, success: false, error: outcome.error }
  const result = toScanResult(outcome.report, { scanId: contentId(path, outcome.text), file: path })
  const { comparison, report } = outcome
  if (!comparison) return { path, ...result }
  const statusOf = (index: number, list: 'findings' | 'advisories') => {
    const finding = report[list][index]
    return finding && comparison.isNew(finding) ? 'new' : 'unchanged'
  }
  return {
    path,
    ...result,
    dataVulnerabilities: result.dataVulnerabilities.map((finding, index) => ({
      ...finding,
      status: statusOf(index, 'findings'),
    })),
    advisories: result.advisories.map((finding, index) => ({ ...finding, status: statusOf(index, 'advisories') })),
    fixed: comparison.fixed,
  }
}
