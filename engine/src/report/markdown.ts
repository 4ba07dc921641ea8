import { bySeverity } from './by-severity.ts'
import type { BaselineState, ComparedScanResult } from './compare-scans.ts'
import type { ScanResult, WireFinding, WireSuppressed } from './scan-result.ts'
import { visible, visibleLine } from './visible.ts'

export interface MarkdownOptions {
  readonly title?: string
  /** ISO time of the scan, shown as given. */
  readonly scannedAt?: string
}

const escapeText = (text: string): string =>
  visibleLine(text)
    .replace(/[\\`*_{}[\]()<>#+!|~&]/g, (char) => `\\${char}`)
    .replace(/^(\s*)([-=]|\d+\.)/, '$1\\$2')
    // A bare address would be linked by most readers.
    .replace(/(https?):/gi, '$1\\:')

/** A code span whose fence is longer than any run of backticks inside. */
const codeSpan = (text: string): string => {
  const shown = visibleLine(text).replaceAll('|', '\\|')
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

const codeBlock = (text: string): string => {
  const shown = visible(text)
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}solidity\n${shown}\n${fence}`
}

/** Our own words with `names` in backticks: the names stay code, everything else is text. */
const prose = (text: string): string => {
  const parts = visibleLine(text).split('`')
  if (parts.length % 2 === 0) return escapeText(text)
  return parts.map((part, i) => (i % 2 === 1 ? codeSpan(part) : escapeInner(part))).join('')
}

const escapeInner = (part: string): string => part.replace(/[\\*_[\]<>#|~&]/g, (char) => `\\${char}`)

const placeOf = ({ contract, function: fn, line, column }: WireFinding): string => {
  const scope = [contract, fn].filter(Boolean).join('.')
  return `line ${line}, column ${column}${scope ? ` in ${codeSpan(scope)}` : ''}`
}

const stateOf = (finding: WireFinding): string => {
  const state = (finding as { baselineState?: BaselineState }).baselineState
  return state ? ` · ${state}` : ''
}

const findingBlock = (finding: WireFinding & { readonly vulnerabilityId?: string }, index: number): string => {
  const heading = finding.vulnerabilityId ? `${finding.vulnerabilityId} ${finding.name}` : finding.title
  const trace = finding.trace.map((step, i) => `${i + 1}. Line ${step.line}: ${prose(step.message)}`)
  return [
    `### ${index + 1}. ${escapeText(heading)}`,
    '',
    `**${finding.severity}** · confidence ${finding.confidence} · ${placeOf(finding)} · ${codeSpan(finding.detector)}${stateOf(finding)}`,
    '',
    prose(finding.message),
    '',
    codeBlock(finding.snippet),
    '',
    ...(trace.length > 0 ? ['How it comes about:', '', ...trace, ''] : []),
    `**What to do:** ${prose(finding.recommendation)}`,
    '',
    ...finding.references.filter((url) => /^https:\/\/[^\s<>]+$/.test(url)).map((url) => `- <${url}>`),
    '',
  ].join('\n')
}

const suppressedLine = (finding: WireSuppressed): string =>
  `- ${escapeText(finding.vulnerabilityId ?? finding.detector)}, line ${finding.line}: ${escapeText(finding.suppression.reason ?? finding.suppression.comment)}`

const checklistLines = (result: ScanResult): string[] =>
  result.bestPractices.checklist.flatMap(({ category, items }) => [
    `### ${escapeText(category)}`,
    '',
    ...items.map((item) => `- [${item.startsWith('Done:') ? 'x' : ' '}] ${prose(item)}`),
    '',
  ])

const baselineLines = (result: ScanResult): string[] => {
  const baseline = (result as Partial<ComparedScanResult>).baseline
  if (!baseline) return []
  return [
    `Compared with ${codeSpan(baseline.baselineScanId)}: ${baseline.newCount} new, ${baseline.unchangedCount} unchanged, ${baseline.fixedCount} fixed.`,
    '',
    ...baseline.fixed.map((finding) => `- fixed: ${escapeText(finding.vulnerabilityId)} (was line ${finding.line})`),
    '',
  ]
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, '']

const fileReport = (result: ScanResult, options: MarkdownOptions): string => {
  const { score, rating, summary } = result.securityScore
  return [
    `# ${escapeText(options.title ?? 'Security report')}`,
    '',
    `File ${codeSpan(result.file)}, scan ${codeSpan(result.scanId)}${options.scannedAt ? `, ${escapeText(options.scannedAt)}` : ''}`,
    '',
    `**Score ${score} of 100: ${rating}.** ${prose(result.message)}`,
    '',
    '| critical | high | medium | low | total |',
    '|---|---|---|---|---|',
    `| ${summary.critical} | ${summary.high} | ${summary.medium} | ${summary.low} | ${summary.total} |`,
    '',
    ...baselineLines(result),
    ...section('Findings', [...result.dataVulnerabilities].sort(bySeverity).map(findingBlock)),
    ...section('Advisories', [...result.advisories].sort(bySeverity).map(findingBlock)),
    ...section('Suppressed', result.suppressed.map(suppressedLine)),
    ...section(
      'Not scanned',
      result.parseErrors.map((error) => `- Line ${error.line}: ${escapeText(error.message)}`),
    ),
    ...section(
      'Notes on the analysis',
      result.diagnostics.map(({ line, message }) => `- ${line ? `Line ${line}: ` : ''}${prose(message)}`),
    ),
    ...section(
      'Recommendations',
      result.bestPractices.recommendations.map((text) => `- ${prose(text)}`),
    ),
    ...section('Checklist', checklistLines(result)),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()
}

export const toMarkdown = (results: readonly ScanResult[], options: MarkdownOptions = {}): string =>
  `${results.map((result) => fileReport(result, options)).join('\n\n---\n\n')}\n`
