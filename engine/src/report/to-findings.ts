import { type ConfidenceFactors, confidenceOf, type Known, reasonForReview } from '../detectors/confidence.ts'
import { causesOf, type Detector, type Hit, type Severity, type TraceStep } from '../detectors/define-detector.ts'
import type { Span } from '../syntax/index.ts'
import type { Finding, TraceEntry } from './finding.ts'
import { Fingerprinter } from './fingerprint.ts'
import { toHex } from './hash.ts'
import { isInside, type OpenFile } from './open-file.ts'
import type { RawFinding } from './raw-finding.ts'
import type { Reached } from './reached.ts'
import { type Rule, Rules } from './rule.ts'
import type { Scope } from './scopes.ts'

const maxSnippetLength = 400

const snippetOf = (text: string, from: number, to: number): string =>
  to - from > maxSnippetLength ? `${text.slice(from, from + maxSnippetLength)}…` : text.slice(from, to)

const noTrace: readonly TraceEntry[] = Object.freeze([])

const maxMessageLength = 240

/** What a finding lacks that is only for review. */
const reviewNote = ({ unproven, factors = noFactors }: Hit, known: Known): string =>
  `Needs review because ${unproven ?? reasonForReview(factors, known)}.`

/** It ends the message where there is room for it, and the trace where there is none. */
const withNote = (hit: Hit, note: string): { message: string; trace: Hit['trace'] | undefined } => {
  const message = `${hit.message} ${note}`
  return message.length <= maxMessageLength
    ? { message, trace: hit.trace }
    : { message: hit.message, trace: [...(hit.trace ?? []), { at: hit.at, message: note }] }
}

const noFactors: ConfidenceFactors = Object.freeze({})

const traceOf = (files: readonly OpenFile[], home: OpenFile, steps: readonly TraceStep[]): readonly TraceEntry[] => {
  const entries: TraceEntry[] = []
  for (const { at, message } of steps) {
    const open = isInside(home.file, at) ? home : files.find(({ file }) => isInside(file, at))
    if (open === undefined) continue
    const { line, column, endLine, endColumn } = open.lines.place(at.start - open.file.base, at.end - open.file.base)
    if (open === home) entries.push({ line, column, endLine, endColumn, message })
    else entries.push({ line, column, endLine, endColumn, message, file: open.file.path })
  }
  return entries
}

/** Whether a function can be called matters to claims about what it does, not to those about what is written. */
const isAboutBehaviour = ({ candidates }: Detector): boolean => candidates !== undefined

const isSevere = (severity: Severity): boolean => severity === 'critical' || severity === 'high'

/** One missing check of a function is one cause, however many places show it, and whichever detectors of a family. */
const functionCause = ({ isPerFunction }: Detector, { family }: Rule, scope: Scope): readonly string[] | undefined =>
  isPerFunction && scope.function !== null ? [`${family} ${toHex(scope.hash)}`] : undefined

/** The hits of one file with everything a reader wants to know about them. */
export const toFindings = (
  open: OpenFile,
  raw: readonly RawFinding[],
  files: readonly OpenFile[],
  isUncertain: (span: Span) => boolean,
  reached: Reached,
): { findings: Finding[]; causes: ReadonlyMap<Finding, readonly string[]> } => {
  const { file, lines, scopeOf } = open
  const { text, base } = file
  const fingerprinter = new Fingerprinter(text)
  const rules = new Rules()
  const findings = new Array<Finding>(raw.length)
  const causes = new Map<Finding, readonly string[]>()
  let scope: Scope | null = null
  let isResolved = true
  let isReached = true
  for (let i = 0; i < raw.length; i++) {
    const at = raw[i]!
    const { detector, hit } = at
    const from = at.start - base
    const to = at.end - base
    const rule = rules.of(detector)
    const around = scopeOf(at.start)
    if (around !== scope) {
      scope = around
      isResolved = !isUncertain(at)
      isReached = reached.includes(at)
    }
    const factors = hit.factors ?? noFactors
    const severity = hit.severity ?? rule.severity
    const { line, column, endLine, endColumn } = lines.place(from, to)
    const isClaimed = isAboutBehaviour(detector) && hit.confidence === undefined
    const known: Known = {
      isResolved,
      isReached:
        (isReached && !(isSevere(severity) && hit.trace?.[0]?.isEntry === false)) || !isAboutBehaviour(detector),
      isSevere: isSevere(severity) && isClaimed,
      isOpen: hit.trace?.[0]?.isOpen === true,
      isBacked: severity !== 'critical' || hit.trace?.[0]?.hasEvidence !== false,
      hasOpenPath: !(isClaimed && hit.trace?.[0]?.hasOpenPath === false),
    }
    const confidence = confidenceOf(hit.confidence ?? rule.confidence, factors, known)
    const { message, trace } = confidence === 'low' ? withNote(hit, reviewNote(hit, known)) : hit
    findings[i] = {
      swc: rule.swc,
      detector: rule.id,
      family: rule.family,
      name: rule.name,
      title: hit.title ?? rule.title,
      severity: confidence === 'low' ? (hit.reviewSeverity ?? severity) : severity,
      confidence,
      factors,
      contract: around.contract,
      function: around.function,
      line,
      column,
      endLine,
      endColumn,
      snippet: snippetOf(text, from, to),
      message,
      recommendation: hit.recommendation ?? rule.recommendation,
      references: rule.references,
      cwe: rule.cwe,
      fingerprint: fingerprinter.fingerprint(rule.hash, around.hash, from, to),
      trace: trace === undefined ? noTrace : traceOf(files, open, trace),
    }
    const cause =
      hit.cause === undefined
        ? functionCause(detector, rule, around)
        : causesOf(hit.cause).map(({ start }) => `${rule.id} ${start}`)
    if (cause !== undefined) causes.set(findings[i]!, cause)
  }
  return { findings, causes }
}
