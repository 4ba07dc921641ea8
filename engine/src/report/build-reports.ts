import { Adviser } from '../advice/index.ts'
import type { Detector, Severity } from '../detectors/define-detector.ts'
import type { Behaviour } from '../ir/index.ts'
import type { Span, TopLevel } from '../syntax/index.ts'
import { toBestPractices } from './best-practices.ts'
import type { Finding } from './finding.ts'
import { createLineMap } from './line-map.ts'
import { isBlank } from './normalise.ts'
import { onePerCause } from './one-per-cause.ts'
import { isInside, type OpenFile } from './open-file.ts'
import type { RawFinding } from './raw-finding.ts'
import { Reached, reachedIn } from './reached.ts'
import type { Diagnostic, DiagnosticCode, ParseError, Report } from './report.ts'
import { type DetectorRun, type RunOptions, runDetectors } from './run-detectors.ts'
import type { ScannedFile } from './scanned-file.ts'
import { createScopeFinder } from './scopes.ts'
import { isPartlyUnread } from './security-score.ts'
import { applySuppressions } from './suppressions.ts'
import { toFindings } from './to-findings.ts'
import { isAscii, utf8Length } from './utf8-length.ts'

/** Something the earlier stages had to say, with its place in the global offset space. */
export interface Note extends Span {
  readonly code: DiagnosticCode
  readonly message: string
}

export interface ReportInput extends RunOptions {
  /** The given files, in ascending order of `base`; stubs are not among them. */
  readonly files: readonly ScannedFile[]
  readonly behaviour: Behaviour
  readonly detectors: readonly Detector[]
  readonly notes?: readonly Note[]
  /** Functions whose code rests on something that could not be found: findings inside lose confidence. */
  readonly uncertain?: (span: Span) => boolean
  /** `ignore`: suppression comments have no effect. */
  readonly suppressions?: 'honour' | 'ignore'
}

/**
 * UTF-8 bytes of the largest contract, library or interface, or of all functions outside of them, which are as much work; of the whole
 * file when there is neither.
 */
export const largestContractBytes = ({ unit, text, base }: ScannedFile): number => {
  const measure = isAscii(text) ? (start: number, end: number) => end - start : utf8Length.bind(null, text)
  let largest = 0
  let free = 0
  for (const member of unit.members) {
    if (member.kind !== 'ContractDefinition' && member.kind !== 'FunctionDefinition') continue
    const bytes = measure(member.start - base, member.end - base)
    if (member.kind === 'FunctionDefinition') free += bytes
    else largest = Math.max(largest, bytes)
  }
  return Math.max(largest, free) || measure(0, text.length)
}

/** Prose can look like `type name` at file level, where the language allows constants only. */
const isReadable = (member: TopLevel): boolean =>
  member.kind === 'StateVariable' ? member.constant : member.kind !== 'ErrorMember'

/** Nothing to scan: not one member was read, though there was text to read. */
const findUnreadable = (file: ScannedFile, parseErrors: readonly ParseError[]): Report['unreadable'] => {
  if (file.unit.members.some(isReadable)) return null
  const [first] = parseErrors
  if (first) return { line: first.line, reason: first.message }
  return isBlank(file.text) ? { line: 1, reason: 'the file is empty.' } : { line: 1, reason: 'no Solidity found.' }
}

const toDiagnostics = (
  open: OpenFile,
  notes: readonly Note[],
  failed: readonly string[],
  adviser: Adviser,
): Diagnostic[] => {
  const diagnostics: Diagnostic[] = []
  for (const note of notes) {
    const { code, message, start } = note
    if (isInside(open.file, note)) diagnostics.push({ code, message, line: open.lines.lineOf(start - open.file.base) })
  }
  for (const id of failed) {
    const message = `The detector ${id} could not finish; its findings may be incomplete.`
    diagnostics.push({ code: 'detector-failed', message, line: null })
  }
  for (const id of adviser.failed)
    diagnostics.push({ code: 'analysis-note', message: `The advice ${id} could not be worked out.`, line: null })
  return diagnostics
}

const toParseErrors = ({ file, lines }: OpenFile): ParseError[] => {
  const errors: ParseError[] = []
  for (const { start, end, message } of file.errors)
    errors.push({ ...lines.place(start - file.base, end - file.base), message })
  return errors
}

const isFinding = ({ swc, confidence }: Finding): boolean => swc !== null && confidence !== 'low'

const isAdvisory = (finding: Finding): boolean => !isFinding(finding)

/** What is only a suspicion is no critical or high vulnerability. */
const suspected = (severity: Severity): Severity =>
  severity === 'critical' || severity === 'high' ? 'medium' : severity

const toAdvisory = (finding: Finding): Finding =>
  finding.confidence === 'low' ? { ...finding, kind: 'review', severity: suspected(finding.severity) } : finding

const nothing: readonly never[] = Object.freeze([])

const isCertain = (): boolean => false

const buildReport = (
  open: OpenFile,
  raw: readonly RawFinding[],
  failed: readonly string[],
  files: readonly OpenFile[],
  input: ReportInput,
  adviser: Adviser,
  reached: Reached,
): Report => {
  const { file, lines } = open
  const parseErrors = toParseErrors(open)
  const diagnostics = toDiagnostics(open, input.notes ?? [], failed, adviser)
  const { findings: all, causes } = toFindings(open, raw, files, input.uncertain ?? isCertain, reached)
  const {
    kept: unsilenced,
    suppressed,
    remarks,
  } = input.suppressions === 'ignore'
    ? { kept: all, suppressed: nothing, remarks: nothing }
    : applySuppressions(file, lines, all, input.detectors)
  const kept = onePerCause(unsilenced, causes)
  const hasAdvisories = kept.some(isAdvisory)
  const advice = adviser.adviceOn(file)
  return {
    path: file.path,
    findings: hasAdvisories ? kept.filter(isFinding) : kept,
    advisories: hasAdvisories ? kept.filter(isAdvisory).map(toAdvisory) : nothing,
    suppressed,
    parseErrors,
    diagnostics: remarks.length === 0 ? diagnostics : [...diagnostics, ...remarks],
    completeness: isPartlyUnread({ parseErrors, diagnostics }) ? 'partial' : 'full',
    unreadable: findUnreadable(file, parseErrors),
    bestPractices: toBestPractices(advice, kept),
    judged: advice.judged,
  }
}

/** Functions that were too large to follow to the end; what is missing there proves nothing. */
const budgetNotes = ({ behaviour }: ReportInput): Note[] =>
  behaviour.diagnostics.map(({ start, end, message }) => ({ code: 'budget-exhausted', message, start, end }))

const maxNames = 3

/** One for each file, at the first definition that was not reached. */
const unreachedNotes = (unreached: DetectorRun['unreached']): Note[] => {
  const byFile = new Map<ScannedFile, DetectorRun['unreached'][number][]>()
  for (const one of unreached) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one])
  return [...byFile.values()].map((all) => {
    const [first] = all as [DetectorRun['unreached'][number]]
    const names = all.slice(0, maxNames).map(({ name }) => `\`${name}\``)
    const rest = all.length > maxNames ? ` and ${all.length - maxNames} more` : ''
    const message = `Not analyzed to the end: ${names.join(', ')}${rest}. The time of the scan was used up.`
    return { code: 'not-reached', message, start: first.node.start, end: first.node.end }
  })
}

/** Spans in order, those that overlap made one. */
const mergeSpans = (spans: readonly Span[]): readonly Span[] => {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

const isWithin = (merged: readonly Span[], at: number): boolean => {
  let [low, high] = [0, merged.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (merged[middle]!.end <= at) low = middle + 1
    else high = middle
  }
  return low < merged.length && merged[low]!.start <= at
}

const withCuts = (given: ReportInput, cuts: readonly Note[]): ReportInput => {
  const merged = mergeSpans(cuts)
  return {
    ...given,
    notes: [...(given.notes ?? []), ...cuts],
    uncertain: (span) => (given.uncertain?.(span) ?? false) || isWithin(merged, span.start),
  }
}

/** Runs the detectors and the practices once over everything and makes one report per given file. */
export const buildReports = (given: ReportInput): Report[] => {
  const adviser = new Adviser()
  const reached = new Reached(given.behaviour.model)
  const { raw, failed, unreached } = runDetectors(given.behaviour, given.detectors, given, {
    from: (partition) => ({
      concerns: adviser.subjectsIn(partition),
      reached: reachedIn(partition),
      isComplete: adviser.failed.length === 0,
    }),
    fromFile: (file) => ({
      concerns: adviser.subjectsInFile(file, given.behaviour.model),
      isComplete: adviser.failed.length === 0,
    }),
    add: (gathered) => {
      adviser.add(given.behaviour.model, gathered.concerns)
      reached.add(gathered.reached)
    },
  })
  if (given.crew?.isHelper) return []
  const cuts = [...budgetNotes(given), ...unreachedNotes(unreached)]
  const input = cuts.length === 0 ? given : withCuts(given, cuts)
  const files = input.files.map(
    (file): OpenFile => ({ file, lines: createLineMap(file.text), scopeOf: createScopeFinder(file) }),
  )
  return files.map((open) => {
    const own = files.length === 1 ? raw : raw.filter((finding) => isInside(open.file, finding))
    return buildReport(open, own, failed, files, input, adviser, reached)
  })
}
