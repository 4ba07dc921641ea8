import { createHash } from 'node:crypto'
import type { Severity } from '@assay/engine'
import { locate } from '../scan/causes.ts'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'

const severities: Record<Severity, string> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
}

/** GitLab's code quality report: a list in which every fingerprint stands once. */
export function toGitlab(scan: ProjectScan): string {
  const seen = new Map<string, number>()
  const unique = (path: string, fingerprint: string): string => {
    const count = seen.get(`${path}\0${fingerprint}`) ?? 0
    seen.set(`${path}\0${fingerprint}`, count + 1)
    return createHash('sha256').update(`${path}\0${fingerprint}\0${count}`).digest('hex').slice(0, 32)
  }
  const failures = scan.outcomes.flatMap((outcome) =>
    isScanned(outcome)
      ? []
      : [
          {
            description: `Not scanned: ${outcome.error}`,
            check_name: 'not-scanned',
            fingerprint: unique(outcome.path, 'not-scanned'),
            severity: 'blocker',
            location: { path: outcome.path, lines: { begin: 1 } },
          },
        ],
  )
  const findings = locate(scan.outcomes).map(({ path, finding }) => ({
    description: `${finding.kind === 'review' ? 'Needs review: ' : ''}${finding.title}: ${finding.message}`,
    check_name: finding.detector,
    fingerprint: unique(path, finding.fingerprint),
    severity: finding.kind === 'review' ? 'info' : severities[finding.severity],
    location: { path, lines: { begin: finding.line, end: finding.endLine } },
  }))
  return `${JSON.stringify([...failures, ...findings], null, 2)}\n`
}
