import { projectPractices } from './best-practices.ts'
import { bySeverity } from './by-severity.ts'
import { countFindings } from './counts.ts'
import type { Finding } from './finding.ts'
import { joinCauses } from './join-causes.ts'
import type { Report } from './report.ts'
import { type ScanResultOptions, toScanResult } from './scan-result.ts'
import { scoreFindings } from './security-score.ts'
import { summarise } from './summarise.ts'
import type { FileSummary, ScanResult } from './wire.ts'

/** The interface's fields over all files, each finding with its path, and each file by itself beside them. */
export function toProjectResult(reports: readonly Report[], options: ScanResultOptions): ScanResult {
  const joined = (pick: (report: Report) => readonly Finding[]): Finding[] =>
    joinCauses(reports.flatMap((report) => pick(report).map(findingIn(report.path)))).sort(bySeverity)
  const findings = joined(({ findings }) => findings)
  const merged: Report = {
    path: options.file,
    findings,
    advisories: joined(({ advisories }) => advisories),
    suppressed: reports.flatMap(({ path, suppressed }) => suppressed.map(inFile(path))),
    parseErrors: reports.flatMap(({ path, parseErrors }) => parseErrors.map(inFile(path))),
    diagnostics: reports.flatMap(({ path, diagnostics }) => diagnostics.map(inFile(path))),
    completeness: reports.some(isPartial) ? 'partial' : 'full',
    unreadable: null,
    bestPractices: projectPractices(reports, findings),
  }
  const extent = { files: reports.length, inPart: reports.filter(isPartial).length, notScanned: 0 }
  const message = options.message ?? summarise(merged, extent)
  return { ...toScanResult(merged, { ...options, message }), files: reports.map(summariseFile) }
}

const isPartial = ({ completeness, unreadable }: Report): boolean => completeness === 'partial' || unreadable !== null

const inFile =
  (file: string) =>
  <T extends object>(item: T): T & { file: string } => ({ ...item, file })

/** Its further places lie in the same file. */
const findingIn =
  (file: string) =>
  (finding: Finding): Finding & { readonly file: string } => ({
    ...finding,
    file,
    ...(finding.places === undefined ? {} : { places: finding.places.map(inFile(file)) }),
  })

function summariseFile(report: Report): FileSummary {
  const { score, rating } = scoreFindings(report.findings)
  return {
    path: report.path,
    score,
    rating,
    counts: countFindings(report),
    completeness: isPartial(report) ? 'partial' : 'full',
  }
}

/** A result as one of each file, for reports that go file by file; that of a single file under its own name. */
export function splitByFile(result: ScanResult): ScanResult[] {
  const { files, ...whole } = result
  if (!files) return [{ ...result, file: result.fileName ?? result.file }]
  return files.map(({ path, completeness }, index) => {
    const of = <T extends { readonly file?: string }>(items: readonly T[]): T[] =>
      items.filter(({ file }) => file === path)
    const dataVulnerabilities = of(result.dataVulnerabilities)
    const parseErrors = of(result.parseErrors)
    const diagnostics = of(result.diagnostics)
    return {
      ...whole,
      file: path,
      dataVulnerabilities,
      vulnerabilitiesCount: dataVulnerabilities.length,
      advisories: of(result.advisories),
      suppressed: of(result.suppressed),
      parseErrors,
      diagnostics,
      completeness,
      securityScore: scoreFindings(dataVulnerabilities),
      bestPractices: index === 0 ? result.bestPractices : { recommendations: [], checklist: [] },
    }
  })
}
