import { evidenceLine, evidenceTitle, hasSteps } from '@assay/engine/results'
import { details as texts } from '../messages/output.ts'
import { type Cause, groupByKindAndSeverity, type Located } from '../scan/causes.ts'
import { isScanned, type ProjectScan, type Shown } from '../scan/outcome.ts'
import { codeFrame, isFramed } from './code-frame.ts'
import { plural } from './plural.ts'
import { printable, printableLine, printableName } from './printable.ts'
import { severityStyles } from './severity-styles.ts'
import type { TextOptions } from './text-options.ts'
import { wrap } from './wrap.ts'

/** The text of a file of the scan, for the steps of a trace that lie in it. */
export type TextOf = (path: string) => string | undefined

/** Every cause with its code, its trace and its further places, by rule or by file. */
export function details(causes: readonly Cause[], options: TextOptions, textOf: TextOf): string[] {
  return options.groupBy === 'file' ? byFile(causes, options, textOf) : byKind(causes, options, textOf)
}

function byKind(causes: readonly Cause[], options: TextOptions, textOf: TextOf): string[] {
  return groupByKindAndSeverity(causes).flatMap(({ finding, causes: own }) => {
    const shown = options.isDetailed ? own : own.slice(0, options.limit)
    return [
      kindTitle(finding, own.length, options),
      '',
      ...shown.flatMap((cause) => causeBlock(cause, options, textOf)),
      ...(shown.length < own.length ? [`  … and ${own.length - shown.length} more; --details lists them`, ''] : []),
      ...labelled('fix', finding.recommendation, options),
      '',
    ]
  })
}

function byFile(causes: readonly Cause[], options: TextOptions, textOf: TextOf): string[] {
  const files = [...new Set(causes.map(({ first }) => first.path))].sort()
  return files.flatMap((path) => {
    const own = causes.filter(({ first }) => first.path === path)
    return [
      options.paint('bold', options.link(printableName(path), path)),
      '',
      ...own.flatMap((cause) => [
        `  ${kindTitle(cause.first.finding, 1, options)}`,
        ...causeBlock(cause, options, textOf),
        ...labelled('fix', cause.first.finding.recommendation, options),
        '',
      ]),
    ]
  })
}

function kindTitle(finding: Shown, count: number, { paint }: TextOptions): string {
  const isForReview = finding.kind === 'review'
  const id = finding.vulnerabilityId ?? texts.outsideSwcList
  return [
    paint(severityStyles[finding.severity], finding.severity),
    paint('bold', finding.title),
    paint('dim', [id, ...(isForReview ? ['needs review'] : []), finding.detector].join(' · ')),
    ...(count > 1 ? [paint('dim', plural(count, 'finding'))] : []),
  ].join('  ')
}

function causeBlock({ first, places }: Cause, options: TextOptions, textOf: TextOf): string[] {
  const { paint, columns } = options
  const { finding, text } = first
  return [
    `  ${whereOf(first, options)}`,
    ...wrap(printable(finding.message), columns - 2, '  '),
    '',
    ...codeFrame(linesOf(text), finding, paint).map((line) => `  ${line}`),
    ...traceBlock(first, options, textOf),
    ...evidenceBlock(finding, options),
    ...furtherPlaces(places, options),
    '',
  ]
}

const maxFurtherPlaces = 8

function furtherPlaces([, ...places]: Cause['places'], options: TextOptions): string[] {
  if (places.length === 0) return []
  const most = options.isDetailed ? places.length : maxFurtherPlaces
  const shown = places.slice(0, most).map(({ path, line }) => options.link(`${printableName(path)}:${line}`, path))
  const rest = places.length > most ? [`and ${places.length - most} more`] : []
  return ['', ...wrap(`also at ${[...shown, ...rest].join(', ')}`, options.columns - 4, '    ')]
}

function whereOf({ path, finding }: Located, { paint, link }: TextOptions): string {
  const scope = [finding.contract, finding.function].filter(Boolean).join('.')
  const place = link(`${printableName(path)}:${finding.line}:${finding.column}`, path)
  const rest = [
    ...(scope ? [`in ${printableName(scope)}`] : []),
    ...(finding.confidence === 'high' ? [] : [`${finding.confidence} confidence`]),
  ]
  const state = finding.baselineState
    ? `  ${paint(finding.baselineState === 'new' ? 'yellow' : 'dim', finding.baselineState)}`
    : ''
  return `${paint('dim', [place, ...rest].join(' · '))}${state}`
}

const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r]/)

/** Each step, with its line of code where the frame does not show it already. */
function traceBlock({ finding, text }: Located, options: TextOptions, textOf: TextOf): string[] {
  const { trace } = finding
  if (trace.length === 0) return []
  const shown = new Set<string>()
  const steps = trace.flatMap((step, index) => {
    const place = `${step.file ? `${printableName(step.file)}:` : ''}${step.line}:${step.column}`
    const [first = '', ...rest] = wrap(printable(step.message), options.columns - 14)
    const isInFrame = step.file === undefined && isFramed(step.line, finding)
    const code = isInFrame || shown.has(place) ? '' : codeOf(step, step.file === undefined ? text : textOf(step.file))
    shown.add(place)
    return [
      `    ${index + 1}. ${options.paint('dim', place)}  ${first}`,
      ...rest.map((line) => `       ${line}`),
      ...(code === '' ? [] : [`       ${options.paint('dim', `│ ${cutTo(code, options.columns - 10)}`)}`]),
    ]
  })
  return ['', ...steps]
}

const codeOf = ({ line }: Shown['trace'][number], text: string | undefined): string =>
  printableLine((linesOf(text ?? '')[line - 1] ?? '').trim()).text

const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** The attack as a story of a few lines; what was not executed is reported in one. */
function evidenceBlock({ evidence }: Shown, { paint, columns }: TextOptions): string[] {
  if (!evidence) return []
  const [first = '', ...rest] = wrap(printable(evidenceTitle(evidence)), columns - 4)
  const title = [first, ...rest].map(
    (line) => `    ${evidence.status === 'confirmed' ? paint('red', line) : paint('dim', line)}`,
  )
  if (!hasSteps(evidence.status)) return ['', ...title]
  const steps = evidence.steps.flatMap((step, index) => {
    const [start = '', ...more] = wrap(printable(evidenceLine(step)), columns - 7)
    return [`    ${index + 1}. ${start}`, ...more.map((line) => `       ${line}`)]
  })
  const control = evidence.control
    ? wrap(`control: ${evidence.control.change}: ${evidence.control.result}`, columns - 4).map(
        (line) => `    ${paint('dim', line)}`,
      )
    : []
  return ['', ...title, ...steps, ...control]
}

function labelled(label: string, text: string, options: TextOptions): string[] {
  const indent = ' '.repeat(label.length + 4)
  const [first = '', ...rest] = wrap(text, options.columns, indent)
  return [`  ${options.paint('green', `${label}:`)} ${first.trimStart()}`, ...rest]
}

const isAboutLimits = (code: string): boolean => code === 'analysis-note' || code === 'budget-exhausted'

/** Functions that were cut off, as one line: which they are matters to few, that there are some to all. */
function limitLine({ outcomes }: Pick<ProjectScan, 'outcomes'>): string[] {
  const cut = outcomes
    .filter(isScanned)
    .map(({ path, result }) => ({
      path,
      places: new Set(result.diagnostics.filter(({ code }) => code === 'budget-exhausted').map(({ line }) => line)),
    }))
    .filter(({ places }) => places.size > 0)
  if (cut.length === 0) return []
  const count = cut.reduce((sum, { places }) => sum + places.size, 0)
  const names = cut.slice(0, 3).map(({ path }) => printableName(path))
  return [
    texts.tooLargeFollowEnd(
      plural(count, 'place was', 'places were'),
      [...names, ...(cut.length > 3 ? [plural(cut.length - 3, 'more file')] : [])].join(', '),
    ),
  ]
}

/** What a reader must know about the scan of a file: what was not read, what was set aside. */
export function fileNotes({ outcomes }: ProjectScan, { paint, columns, isDetailed }: TextOptions): string[] {
  const notes = outcomes.filter(isScanned).flatMap(({ path, result }) => {
    const shown = printableName(path)
    // Missing imports are reported in one line for the project, and a base that would have come with one is the same matter.
    const lacksImports = result.diagnostics.some(({ code }) => code === 'import-missing')
    const isReportedPerFile = (code: string): boolean =>
      code !== 'import-missing' && !(code === 'base-missing' && lacksImports && !isDetailed)
    return [
      ...result.parseErrors.map(({ line, message }) => texts.couldNotRead(shown, line, printable(message))),
      ...result.diagnostics
        .filter(({ code }) => isReportedPerFile(code) && (isDetailed || !isAboutLimits(code)))
        .map(({ line, message }) => `${shown}${line === null ? '' : `:${line}`}: ${printable(message)}`),
      ...result.suppressed.map(
        ({ line, suppression, vulnerabilityId, detector }) =>
          `${shown}:${line}: ${vulnerabilityId ?? detector} suppressed by ${suppression.kind === 'external' ? 'triage' : 'a comment'}${suppression.reason ? `: ${printable(suppression.reason)}` : ''}`,
      ),
    ]
  })
  const limits = isDetailed ? [] : limitLine({ outcomes })
  if (notes.length + limits.length === 0) return []
  const shown = isDetailed ? notes : notes.slice(0, 10)
  const rest = notes.length > shown.length ? [texts.moreNotesDetails(notes.length - shown.length)] : []
  return [
    paint('green', 'Notes'),
    ...[...limits, ...shown, ...rest].flatMap((note) =>
      wrap(note, columns - 2, '  ').map((line) => paint('dim', line)),
    ),
    '',
  ]
}
