import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Place, Severity } from '@assay/engine'
import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver/node'
import type { Shown } from '../scan/outcome.ts'

const severities: Record<Severity, DiagnosticSeverity> = {
  critical: DiagnosticSeverity.Error,
  high: DiagnosticSeverity.Error,
  medium: DiagnosticSeverity.Warning,
  low: DiagnosticSeverity.Information,
  info: DiagnosticSeverity.Hint,
}

/** Lines and columns of an editor begin at 0; both count UTF-16 units. */
export const toRange = ({ line, column, endLine, endColumn }: Place): Range => ({
  start: { line: line - 1, character: column - 1 },
  end: { line: endLine - 1, character: endColumn - 1 },
})

/** `pages`: where a service shows the pages of detectors; without one the first reference is linked. */
export function toDiagnostic(finding: Shown, uri: string, folder: string, pages?: string): Diagnostic {
  const reference = pages ? `${pages}${finding.detector}` : finding.references[0]
  return {
    range: toRange(finding),
    severity: severities[finding.severity],
    code: finding.vulnerabilityId ?? finding.detector,
    ...(reference ? { codeDescription: { href: reference } } : {}),
    source: 'assay',
    message: `${finding.title}: ${finding.message}`,
    relatedInformation: finding.trace.map((step) => ({
      location: { uri: step.file ? pathToFileURL(resolve(folder, step.file)).href : uri, range: toRange(step) },
      message: step.message,
    })),
    data: { detector: finding.detector, fingerprint: finding.fingerprint },
  }
}
