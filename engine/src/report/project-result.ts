import type { BestPractices } from './best-practices.ts'
import { bySeverity } from './by-severity.ts'
import { countFindings } from './counts.ts'
import type { Finding, FurtherPlace } from './finding.ts'
import type { Report } from './report.ts'
import { type ScanResultOptions, toScanResult } from './scan-result.ts'
import { isPartlyUnread, scoreFindings } from './security-score.ts'
import type { FileSummary, ScanResult } from './wire.ts'

/** The interface's fields over all files, each finding with its path, and each file by itself beside them. */
export function toProjectResult(reports: readonly Report[], options: ScanResultOptions): ScanResult {
  const findings = onePerText(reports.flatMap(({ path, findings }) => findings.map(findingIn(path)))).sort(bySeverity)
  const merged: Report = {
    path: options.file,
    findings,
    advisories: reports.flatMap(({ path, advisories }) => advisories.map(findingIn(path))).sort(bySeverity),
    suppressed: reports.flatMap(({ path, suppressed }) => suppressed.map(inFile(path))),
    parseErrors: reports.flatMap(({ path, parseErrors }) => parseErrors.map(inFile(path))),
    diagnostics: reports.flatMap(({ path, diagnostics }) => diagnostics.map(inFile(path))),
    completeness: reports.some(isPartial) ? 'partial' : 'full',
    unreadable: null,
    bestPractices: mergePractices(reports.map(({ bestPractices }) => bestPractices)),
  }
  return { ...toScanResult(merged, options), files: reports.map(summariseFile) }
}

const isPartial = ({ completeness, unreadable }: Report): boolean => completeness === 'partial' || unreadable !== null

const inFile =
  (file: string) =>
  <T extends object>(item: T): T & { file: string } => ({ ...item, file })

/** Its further places lie in the same file. */
const findingIn =
  (file: string) =>
  (finding: Finding): InFile => ({
    ...finding,
    file,
    ...(finding.places === undefined ? {} : { places: finding.places.map(inFile(file)) }),
  })

type InFile = Finding & { readonly file: string }

/** The same text above all contracts of a file (its pragma, say), or the same code, in another file is the same cause. */
function onePerText(findings: readonly InFile[]): InFile[] {
  const firsts = new Map<string, InFile>()
  for (const finding of findings) {
    const isOfFile = finding.contract === null && finding.function === null
    const cause = `${finding.detector} ${isOfFile ? finding.snippet.trim() : finding.fingerprint}`
    const first = firsts.get(cause)
    if (first && first.file !== finding.file)
      firsts.set(cause, { ...first, places: [...(first.places ?? []), toPlace(finding), ...(finding.places ?? [])] })
    else firsts.set(first ? `${cause} ${finding.line}:${finding.column}` : cause, finding)
  }
  return [...firsts.values()]
}

const toPlace = ({ file, line, column, endLine, endColumn }: InFile): FurtherPlace => ({
  file,
  line,
  column,
  endLine,
  endColumn,
})

function summariseFile(report: Report): FileSummary {
  const { score, rating } = scoreFindings(report.findings, isPartlyUnread(report))
  return {
    path: report.path,
    score,
    rating,
    counts: countFindings(report),
    completeness: isPartial(report) ? 'partial' : 'full',
  }
}

function mergePractices(all: readonly BestPractices[]): BestPractices {
  const categories = new Map<string, Set<string>>()
  for (const { checklist } of all)
    for (const { category, items } of checklist)
      categories.set(category, new Set([...(categories.get(category) ?? []), ...items]))
  return {
    recommendations: [...new Set(all.flatMap(({ recommendations }) => recommendations))],
    checklist: [...categories].map(([category, items]) => ({ category, items: [...items] })),
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
      securityScore: scoreFindings(dataVulnerabilities, isPartlyUnread({ parseErrors, diagnostics })),
      bestPractices: index === 0 ? result.bestPractices : { recommendations: [], checklist: [] },
    }
  })
}
