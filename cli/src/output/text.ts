import { type Finding, type Report, type Severity, scoreFindings } from '@assay/engine'
import { isScanned, type Outcome } from '../scan-outcome.ts'
import { codeFrame } from './code-frame.ts'
import type { Paint, Style } from './paint.ts'
import { printable } from './printable.ts'
import { wrap } from './wrap.ts'

export interface TextOptions {
  readonly paint: Paint
  readonly columns: number
  /** One line per finding and nothing else. */
  readonly isQuiet: boolean
  readonly milliseconds: number
}

export const severityStyles: Record<Severity, readonly Style[]> = {
  critical: ['magenta', 'bold'],
  high: ['red', 'bold'],
  medium: ['yellow', 'bold'],
  low: ['cyan', 'bold'],
  info: ['blue', 'bold'],
}

const scoreStyles: Record<string, Style> = {
  Excellent: 'green',
  Good: 'green',
  Fair: 'yellow',
  Poor: 'red',
  Critical: 'red',
}
const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
const maxColumns = 110

/** The report for a person at a terminal. */
export function toText(outcomes: readonly Outcome[], options: TextOptions): string {
  const blocks = options.isQuiet
    ? outcomes.flatMap((outcome) => quietLines(outcome))
    : [...outcomes.flatMap((outcome) => outcomeBlock(outcome, options)), ...closing(outcomes, options)]
  return blocks.length === 0 ? '' : `${blocks.join('\n')}\n`
}

function quietLines(outcome: Outcome): string[] {
  if (!isScanned(outcome)) return [`${outcome.path}: error: ${printable(outcome.error)}`]
  const { report, path } = outcome
  return [...report.findings, ...report.advisories].map(
    (finding) =>
      `${path}:${finding.line}:${finding.column}: ${finding.severity}: ${finding.swc ?? finding.detector}: ${printable(finding.message)}`,
  )
}

function outcomeBlock(outcome: Outcome, options: TextOptions): string[] {
  if (!isScanned(outcome))
    return [
      ...heading(outcome.path, options),
      `  ${options.paint(['red', 'bold'], 'not scanned')}  ${printable(outcome.error)}`,
      '',
    ]
  const { report } = outcome
  const lines = outcome.text.split(/\r\n|[\n\r]/)
  const notes = notesOf(report)
  const found = [...report.findings, ...report.advisories]
  if (found.length === 0 && notes.length === 0) return []
  return [
    ...heading(outcome.path, options, report),
    ...found.flatMap((finding) => findingBlock(finding, outcome, lines, options)),
    ...notes.flatMap((note) => wrap(note, widthOf(options), '  ').map((line) => options.paint('dim', line))),
    ...(notes.length > 0 ? [''] : []),
  ]
}

function heading(path: string, { paint }: TextOptions, report?: Report): string[] {
  if (!report) return [paint('bold', path), '']
  const { score, rating } = scoreFindings(report.findings)
  return [`${paint('bold', path)}  ${paint(scoreStyles[rating] ?? 'bold', `${score}/100 ${rating}`)}`, '']
}

function findingBlock(
  finding: Finding,
  outcome: Extract<Outcome, { report: Report }>,
  lines: readonly string[],
  options: TextOptions,
): string[] {
  const { paint } = options
  const place = `${outcome.path}:${finding.line}:${finding.column}`
  const title = [
    paint(severityStyles[finding.severity], finding.severity),
    paint('bold', finding.swc ? finding.name : finding.title),
    paint('dim', finding.swc ?? `advisory ${finding.detector}`),
    ...(outcome.comparison
      ? [outcome.comparison.isNew(finding) ? paint('yellow', 'new') : paint('dim', 'unchanged')]
      : []),
  ].join('  ')
  const scope = [finding.contract, finding.function].filter(Boolean).join('.')
  const where = [
    place,
    ...(scope ? [`in ${scope}`] : []),
    ...(finding.confidence === 'high' ? [] : [`${finding.confidence} confidence`]),
  ]
  return [
    `  ${title}`,
    `  ${paint('dim', where.join(' · '))}`,
    ...wrap(printable(finding.message), widthOf(options), '  '),
    '',
    ...codeFrame(lines, finding, paint).map((line) => `  ${line}`),
    ...traceBlock(finding, options),
    '',
    ...labelled('fix', finding.recommendation, options),
    '',
  ]
}

function traceBlock({ trace }: Finding, options: TextOptions): string[] {
  if (trace.length === 0) return []
  const steps = trace.flatMap((step, index) => {
    const place = `${step.file ? `${step.file}:` : ''}${step.line}:${step.column}`
    const [first = '', ...rest] = wrap(printable(step.message), widthOf(options) - 14)
    return [`    ${index + 1}. ${options.paint('dim', place)}  ${first}`, ...rest.map((line) => `       ${line}`)]
  })
  return ['', ...steps]
}

function labelled(label: string, text: string, options: TextOptions): string[] {
  const indent = ' '.repeat(label.length + 4)
  const [first = '', ...rest] = wrap(text, widthOf(options), indent)
  return [`  ${options.paint(['green'], `${label}:`)} ${first.trimStart()}`, ...rest]
}

/** What a reader must know about the scan itself: what was not read, what was set aside. */
function notesOf(report: Report): string[] {
  return [
    ...report.parseErrors.map(({ line, message }) => `line ${line} could not be read: ${printable(message)}`),
    ...report.diagnostics.map(({ line, message }) => `${line === null ? '' : `line ${line}: `}${printable(message)}`),
    ...report.suppressed.map(
      ({ line, swc, detector, suppression }) =>
        `line ${line}: ${swc ?? detector} set aside by a comment${suppression.reason ? `: ${printable(suppression.reason)}` : ''}`,
    ),
  ]
}

function closing(outcomes: readonly Outcome[], options: TextOptions): string[] {
  const { paint } = options
  const scanned = outcomes.filter(isScanned)
  const findings = scanned.flatMap(({ report }) => report.findings)
  const advisories = scanned.reduce((sum, { report }) => sum + report.advisories.length, 0)
  const fixed = scanned.reduce((sum, { comparison }) => sum + (comparison?.fixed.length ?? 0), 0)
  const failed = outcomes.length - scanned.length
  const parts = [
    plural(scanned.length, 'file', 'files'),
    findings.length === 0 ? paint(['green', 'bold'], 'no weaknesses found') : countsOf(findings, paint),
    ...(advisories > 0 ? [plural(advisories, 'advisory', 'advisories')] : []),
    ...(fixed > 0 ? [paint('green', `${fixed} fixed since the baseline`)] : []),
    ...(failed > 0 ? [paint(['red', 'bold'], `${failed} not scanned`)] : []),
    ...(scanned.length === 1 && findings.length === 0 ? [scoreOf(findings, paint)] : []),
    paint('dim', `${Math.round(options.milliseconds)} ms`),
  ]
  return [parts.join(' · '), ...more(findings, paint)]
}

function scoreOf(findings: readonly Finding[], paint: Paint): string {
  const { score, rating } = scoreFindings(findings)
  return paint(scoreStyles[rating] ?? 'bold', `${score}/100 ${rating}`)
}

function countsOf(findings: readonly Finding[], paint: Paint): string {
  const counts = severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => paint(severityStyles[severity], `${count} ${severity}`))
  return `${plural(findings.length, 'weakness', 'weaknesses')}: ${counts.join(', ')}`
}

function more(findings: readonly Finding[], paint: Paint): string[] {
  const [first] = findings
  return first ? [paint('dim', `More on a weakness: assay explain ${first.swc ?? first.detector}`)] : []
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
const widthOf = ({ columns }: TextOptions): number => Math.min(columns, maxColumns)
