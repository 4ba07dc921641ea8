import type { BaselineState, ComparedScanResult } from './compare-scans.ts'
import { type Evidence, evidenceLine, evidenceTitle, hasSteps } from './evidence.ts'
import type { FurtherPlace } from './finding.ts'
import {
  countWords,
  findingsOf,
  kindsOf,
  type NotScanned,
  projectScore,
  reviewsOf,
  withoutDismissed,
} from './project-summary.ts'
import { type SecurityScore, shownRating } from './security-score.ts'
import { splitWords, tally } from './tally.ts'
import { limitsOfAScan, type Unread, unreadIn } from './unread.ts'
import { visible, visibleLine } from './visible.ts'
import type { ScanResult, WireFinding, WireSuppressed } from './wire.ts'

export interface MarkdownOptions {
  readonly title?: string
  /** ISO time of the scan, shown as given. */
  readonly scannedAt?: string
  /** The score of the scan, where findings were dismissed after it: the report lists the others. */
  readonly whole?: SecurityScore
  /** Commit and branch of what was scanned, shown as given. */
  readonly revision?: string
  /** Files that were requested and have no result. */
  readonly notScanned?: readonly NotScanned[]
  /** What files of the project set, one line each: they travel with the source, so the reader must see them. */
  readonly settings?: readonly string[]
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

const furtherPlace = ({ file, line }: FurtherPlace): string => `${file ? `${codeSpan(file)}, ` : ''}line ${line}`

const findingBlock = (finding: WireFinding & { readonly vulnerabilityId?: string }, index: number): string => {
  const heading = finding.vulnerabilityId ? `${finding.vulnerabilityId} ${finding.title}` : finding.title
  const trace = finding.trace.map(
    (step, i) =>
      `${i + 1}. ${step.file ? `${codeSpan(step.file)}, line` : 'Line'} ${step.line}: ${prose(step.message)}`,
  )
  return [
    `### ${index + 1}. ${escapeText(heading)}`,
    '',
    `**${finding.severity}**${finding.kind === 'review' ? ' · needs review' : ''} · confidence ${finding.confidence} · ${placeOf(finding)} · ${codeSpan(finding.detector)}${finding.vulnerabilityId ? '' : ' · outside the SWC list'}${stateOf(finding)}`,
    '',
    prose(finding.message),
    '',
    codeBlock(finding.snippet),
    '',
    ...(trace.length > 0 ? ['Trace:', '', ...trace, ''] : []),
    ...(finding.places ? [`Also at ${finding.places.map(furtherPlace).join(', ')}.`, ''] : []),
    ...evidenceLines(finding.evidence),
    `**What to do:** ${prose(finding.recommendation)}`,
    '',
    ...finding.references.filter((url) => /^https:\/\/[^\s<>]+$/.test(url)).map((url) => `- <${url}>`),
    '',
  ].join('\n')
}

const evidenceLines = (evidence: Evidence | undefined): string[] => {
  if (!evidence) return []
  const { status, steps, control } = evidence
  const title = escapeText(evidenceTitle(evidence))
  if (!hasSteps(status)) return [`*${title}*`, '']
  return [
    `**${title}**`,
    '',
    ...steps.map((step, index) => `${index + 1}. ${escapeText(evidenceLine(step))}`),
    '',
    ...(control ? [`Control: ${escapeText(control.change)}: ${escapeText(control.result)}.`, ''] : []),
  ]
}

const suppressedLine = (finding: WireSuppressed): string =>
  `- **${finding.severity}** ${escapeText(finding.title)} (${escapeText(finding.vulnerabilityId ?? finding.detector)}), line ${finding.line}: ${escapeText(finding.suppression.reason ?? finding.suppression.comment)}`

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

const settingsSection = ({ settings = [] }: MarkdownOptions): string[] =>
  section(
    'Settings applied',
    settings.map((text) => `- ${codeSpan(text)}`),
  )

const maxUnread = 20

/** What was not read, first. */
const unreadLines = (unread: Unread | null): string[] => {
  if (unread === null) return []
  const places = unread.places
    .slice(0, maxUnread)
    .map(
      ({ file, line, reason }) =>
        `- ${file ? codeSpan(file) : ''}${line === null ? '' : `, line ${line}`}: ${prose(reason)}`,
    )
  const rest = unread.places.length - places.length
  return [
    `**${escapeText(unread.headline)}** ${escapeText(unread.advice.join(' '))}`,
    '',
    ...places,
    ...(rest > 0 ? [`- … and ${rest} more`] : []),
    '',
  ]
}

/** What was found by severity, all findings alike, the split beside it, then the score; its word only where everything was read and no severe finding contradicts it. */
const countLines = (results: readonly ScanResult[], unread: Unread | null, whole?: SecurityScore): string[] => {
  const counts = tally(results)
  const { critical, high, medium, low, info } = counts.bySeverity
  const listed = projectScore(results)
  const { score, rating } = whole ?? listed
  const split = splitWords(counts)
  const word = score === listed.score ? shownRating(rating, counts.bySeverity) : null
  return [
    '| critical | high | medium | low | info | total |',
    '|---|---|---|---|---|---|',
    `| ${critical} | ${high} | ${medium} | ${low} | ${info} | ${counts.findings} |`,
    '',
    `Score ${score} of 100${unread === null ? (word ? `: ${word}` : '') : ' for what was analyzed'}${score === listed.score ? '' : `, ${withoutDismissed(listed.score)}`}.${split.length > 0 ? ` Of these ${split.join(', ')}.` : ''}`,
    '',
    ...(counts.findings === 0 ? [limitsOfAScan, ''] : []),
  ]
}

const whenOf = ({ revision, scannedAt }: MarkdownOptions): string[] =>
  [revision, scannedAt].flatMap((part) => (part ? [escapeText(part)] : []))

const fileReport = (result: ScanResult, options: MarkdownOptions): string => {
  const unread = unreadIn([result])
  return [
    `# ${escapeText(options.title ?? 'Security report')}`,
    '',
    `File ${codeSpan(result.file)}, scan ${[codeSpan(result.scanId), ...whenOf(options)].join(', ')}`,
    '',
    ...unreadLines(unread),
    options.whole ? '' : prose(result.message),
    '',
    ...countLines([result], unread, options.whole),
    ...baselineLines(result),
    ...section('Findings', findingsOf([result]).map(findingBlock)),
    ...section('Needs review', reviewsOf([result]).map(findingBlock)),
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
    ...settingsSection(options),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()
}

/** Files with something to say have a section; clean ones are only counted. */
const isWorthShowing = (result: ScanResult): boolean =>
  result.dataVulnerabilities.length + result.advisories.length + result.suppressed.length + result.parseErrors.length >
  0

const fileSection = (result: ScanResult, index: number): string =>
  [
    `<a id="file-${index + 1}"></a>`,
    '',
    `## ${codeSpan(result.file)}`,
    '',
    ...baselineLines(result),
    ...[...findingsOf([result]), ...reviewsOf([result])].map(findingBlock),
    ...result.suppressed.map(suppressedLine),
    ...result.parseErrors.map((error) => `- Not scanned: line ${error.line}: ${escapeText(error.message)}`),
    '',
  ].join('\n')

/** One report for all files: the sum, the kinds, where to find what, then file by file. */
const projectReport = (results: readonly ScanResult[], options: MarkdownOptions): string => {
  const unread = unreadIn(results, options.notScanned?.length ?? 0)
  const shown = results.filter(isWorthShowing)
  return [
    `# ${escapeText(options.title ?? 'Security report')}`,
    '',
    [`${results.length} files`, ...whenOf(options)].join(', '),
    '',
    ...unreadLines(unread),
    ...countLines(results, unread, options.whole),
    ...section(
      'Not scanned',
      (options.notScanned ?? []).map(({ path, error }) => `- ${codeSpan(path)}: ${escapeText(error)}`),
    ),
    ...section(
      'By rule',
      shown.length === 0
        ? ['No findings.']
        : [
            '| severity | | finding | places | files |',
            '|---|---|---|---|---|',
            ...kindsOf(results).map(
              ({ severity, id, title, places, files }) =>
                `| ${severity} | ${escapeText(id)} | ${escapeText(title)} | ${places} | ${files} |`,
            ),
          ],
    ),
    ...section(
      'Contents',
      shown.map(
        (result, index) => `${index + 1}. [${escapeText(result.file)}](#file-${index + 1}): ${countWords(result)}`,
      ),
    ),
    ...shown.map(fileSection),
    ...settingsSection(options),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()
}

export const toMarkdown = (results: readonly ScanResult[], options: MarkdownOptions = {}): string => {
  const [only, ...others] = results
  const isOne = only !== undefined && others.length === 0 && !options.notScanned?.length
  return `${isOne ? fileReport(only, options) : projectReport(results, options)}\n`
}
