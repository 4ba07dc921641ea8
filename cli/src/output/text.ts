import type { ScanResult, WireFinding } from '@assay/engine'
import { isScanned, type Outcome, type Scanned } from '../scan-outcome.ts'
import { codeFrame } from './code-frame.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { scoreOf, severityStyles, sumUp, worstFirst } from './sum-up.ts'
import { wrap } from './wrap.ts'

export interface TextOptions {
  readonly paint: Paint
  readonly columns: number
  /** One line per finding and nothing else. */
  readonly isQuiet: boolean
  readonly milliseconds: number
}

/** A weakness of the registry has an id; an advisory has none. */
type Shown = WireFinding & { readonly vulnerabilityId?: string; readonly baselineState?: string }

const maxColumns = 110

/** The report for a person at a terminal. */
export function toText(outcomes: readonly Outcome[], options: TextOptions): string {
  const lines = options.isQuiet
    ? outcomes.flatMap(quietLines)
    : [...outcomes.flatMap((outcome) => fileBlock(outcome, options)), ...sumUp(outcomes, options)]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function quietLines(outcome: Outcome): string[] {
  const path = printable(outcome.path)
  if (!isScanned(outcome)) return [`${path}: error: ${printable(outcome.error)}`]
  return shownOf(outcome.result).map(
    (finding) =>
      `${path}:${finding.line}:${finding.column}: ${finding.severity}: ${idOf(finding)}: ${printable(finding.message)}`,
  )
}

/** Weaknesses before advisories, the worst first, then as they stand in the file. */
const shownOf = ({ dataVulnerabilities, advisories }: ScanResult): Shown[] => [
  ...worstFirst(dataVulnerabilities),
  ...worstFirst(advisories),
]
const idOf = ({ vulnerabilityId, detector }: Pick<Shown, 'vulnerabilityId' | 'detector'>): string =>
  vulnerabilityId ?? detector

/** A clean file takes no room: the sum at the end counts it. */
function fileBlock(outcome: Outcome, options: TextOptions): string[] {
  const { paint } = options
  const path = paint('bold', printable(outcome.path))
  if (!isScanned(outcome))
    return [path, '', `  ${paint(['red', 'bold'], 'not scanned')}  ${printable(outcome.error)}`, '']
  const { result } = outcome
  const notes = notesOf(result)
  const findings = shownOf(result)
  if (findings.length === 0 && notes.length === 0) return []
  const lines = outcome.text.split(/\r\n|[\n\r]/)
  return [
    `${path}  ${scoreOf(result, paint)}`,
    '',
    ...findings.flatMap((finding, index) => {
      // The same advice twenty times hides the twenty places.
      const isFirst = findings.findIndex(({ detector }) => detector === finding.detector) === index
      return findingBlock(finding, outcome, lines, options, isFirst)
    }),
    ...notes.flatMap((note) => wrap(note, widthOf(options), '  ').map((line) => paint('dim', line))),
    ...(notes.length > 0 ? [''] : []),
  ]
}

function findingBlock(
  finding: Shown,
  { path }: Scanned,
  lines: readonly string[],
  options: TextOptions,
  withAdvice: boolean,
): string[] {
  const { paint } = options
  return [
    `  ${titleOf(finding, paint)}`,
    `  ${paint('dim', whereOf(finding, path))}`,
    ...wrap(printable(finding.message), widthOf(options), '  '),
    '',
    ...codeFrame(lines, finding, paint).map((line) => `  ${line}`),
    ...traceBlock(finding, options),
    '',
    ...(withAdvice ? [...labelled('fix', finding.recommendation, options), ''] : []),
  ]
}

function titleOf(finding: Shown, paint: Paint): string {
  const { vulnerabilityId, baselineState } = finding
  return [
    paint(severityStyles[finding.severity], finding.severity),
    paint('bold', vulnerabilityId ? finding.name : finding.title),
    paint('dim', vulnerabilityId ?? `advisory ${finding.detector}`),
    ...(baselineState ? [paint(baselineState === 'new' ? 'yellow' : 'dim', baselineState)] : []),
  ].join('  ')
}

function whereOf(finding: Shown, path: string): string {
  const scope = [finding.contract, finding.function].filter(Boolean).join('.')
  return [
    `${printable(path)}:${finding.line}:${finding.column}`,
    ...(scope ? [`in ${printable(scope)}`] : []),
    ...(finding.confidence === 'high' ? [] : [`${finding.confidence} confidence`]),
  ].join(' · ')
}

function traceBlock({ trace }: Shown, options: TextOptions): string[] {
  if (trace.length === 0) return []
  const steps = trace.flatMap((step, index) => {
    const place = `${step.file ? `${printable(step.file)}:` : ''}${step.line}:${step.column}`
    const [first = '', ...rest] = wrap(printable(step.message), widthOf(options) - 14)
    return [`    ${index + 1}. ${options.paint('dim', place)}  ${first}`, ...rest.map((line) => `       ${line}`)]
  })
  return ['', ...steps]
}

function labelled(label: string, text: string, options: TextOptions): string[] {
  const indent = ' '.repeat(label.length + 4)
  const [first = '', ...rest] = wrap(text, widthOf(options), indent)
  return [`  ${options.paint('green', `${label}:`)} ${first.trimStart()}`, ...rest]
}

/** What a reader must know about the scan itself: what was not read, what was set aside. */
function notesOf({ parseErrors, diagnostics, suppressed }: ScanResult): string[] {
  return [
    ...parseErrors.map(({ line, message }) => `line ${line} could not be read: ${printable(message)}`),
    ...diagnostics.map(({ line, message }) => `${line === null ? '' : `line ${line}: `}${printable(message)}`),
    ...suppressed.map(
      ({ line, suppression, ...finding }) =>
        `line ${line}: ${idOf(finding)} set aside by a comment${suppression.reason ? `: ${printable(suppression.reason)}` : ''}`,
    ),
  ]
}

const widthOf = ({ columns }: TextOptions): number => Math.min(columns, maxColumns)
