import type { ScanResult, Severity } from '@assay/engine'
import { isScanned, type Outcome } from '../scan-outcome.ts'
import type { Paint, Style } from './paint.ts'

export const severityStyles: Record<Severity, readonly Style[]> = {
  critical: ['magenta', 'bold'],
  high: ['red', 'bold'],
  medium: ['yellow', 'bold'],
  low: ['cyan', 'bold'],
  info: ['blue', 'bold'],
}

const severities = Object.keys(severityStyles) as Severity[]

export const worstFirst = <Item extends { readonly severity: Severity }>(findings: readonly Item[]): Item[] =>
  [...findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))

const ratingStyles: Record<ScanResult['securityScore']['rating'], Style> = {
  Excellent: 'green',
  Good: 'green',
  Fair: 'yellow',
  Poor: 'red',
  Critical: 'red',
}

export function scoreOf({ securityScore: { score, rating } }: ScanResult, paint: Paint): string {
  return paint(ratingStyles[rating], `${score}/100 ${rating}`)
}

/** The last line: how much was scanned, what was found, how long it took. */
export function sumUp(
  outcomes: readonly Outcome[],
  { paint, milliseconds }: { paint: Paint; milliseconds: number },
): string[] {
  const results = outcomes.filter(isScanned).map(({ result }) => result)
  const findings = results.flatMap(({ dataVulnerabilities }) => dataVulnerabilities)
  const advisories = sum(results, (result) => result.advisories.length)
  const fixed = sum(results, (result) => ('baseline' in result ? result.baseline.fixedCount : 0))
  const failed = outcomes.length - results.length
  const parts = [
    plural(results.length, 'file', 'files'),
    findings.length === 0 ? paint(['green', 'bold'], 'no weaknesses found') : countsOf(findings, paint),
    ...(advisories > 0 ? [plural(advisories, 'advisory', 'advisories')] : []),
    ...(fixed > 0 ? [paint('green', `${fixed} fixed since the baseline`)] : []),
    ...(failed > 0 ? [paint(['red', 'bold'], `${failed} not scanned`)] : []),
    paint('dim', `${Math.round(milliseconds)} ms`),
  ]
  const [first] = worstFirst(findings)
  return [
    parts.join(' · '),
    ...(first ? [paint('dim', `More on a weakness: assay explain ${first.vulnerabilityId}`)] : []),
  ]
}

function countsOf(findings: readonly { readonly severity: Severity }[], paint: Paint): string {
  const counts = severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => paint(severityStyles[severity], `${count} ${severity}`))
  return `${plural(findings.length, 'weakness', 'weaknesses')}: ${counts.join(', ')}`
}

const sum = <Item>(items: readonly Item[], count: (item: Item) => number): number =>
  items.reduce((total, item) => total + count(item), 0)

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
