/**
 * What a result may hold. Anyone who writes the source chooses how long its names are and how often a vulnerability occurs; unbounded, a hundred
 * kilobytes of text become hundreds of megabytes of findings. Counts and score are always of everything that was found: only the list is
 * cut, the most severe first, and a diagnostic says by how much.
 */
import type { BestPractices } from './best-practices.ts'
import { bySeverity } from './by-severity.ts'
import type { TraceEntry } from './finding.ts'
import type { Diagnostic } from './report.ts'
import { utf8Length } from './utf8-length.ts'
import type { ScanResult, WireFinding, WireSuppressed } from './wire.ts'

export const resultBounds = Object.freeze({
  /** Of a name, a reason, a comment. */
  wordLength: 200,
  /** Of a sentence that may quote several of them. */
  sentenceLength: 2_000,
  traceSteps: 50,
  /** Vulnerabilities and advisories together; suppressed ones, parse errors and diagnostics as many each. */
  findings: 1_000,
  bytes: 8_000_000,
})

/** A quarter is left for what is not a finding: parse errors, diagnostics, advice. */
const bytesOfFindings = resultBounds.bytes * 0.75

const longWord = new RegExp(`[\\w$]{${resultBounds.wordLength + 1},}`, 'g')

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

const cutWord = (text: string): string => cut(text, resultBounds.wordLength)

/** Our own sentences with names from the source in them. */
const cutSentence = (text: string): string =>
  text.length <= resultBounds.wordLength ? text : cut(text.replace(longWord, cutWord), resultBounds.sentenceLength)

const cutName = (name: string | null): string | null => (name === null ? null : cutWord(name))

const cutStep = (step: TraceEntry): TraceEntry => ({ ...step, message: cutSentence(step.message) })

const cutFinding = <T extends WireFinding>(finding: T): T => ({
  ...finding,
  contract: cutName(finding.contract),
  function: cutName(finding.function),
  message: cutSentence(finding.message),
  trace: finding.trace.slice(0, resultBounds.traceSteps).map(cutStep),
})

const cutSuppressed = (finding: WireSuppressed): WireSuppressed => {
  const { comment, reason, line } = finding.suppression
  return { ...cutFinding(finding), suppression: { comment: cutWord(comment), reason: cutName(reason), line } }
}

const cutPractices = ({ recommendations, checklist }: BestPractices): BestPractices => ({
  recommendations: recommendations.map(cutSentence),
  checklist: checklist.map(({ category, items }) => ({ category, items: items.map(cutSentence) })),
})

const mostBytesPerUnit = 6

/** JSON writes a control character with six letters; most text needs no counting at all to be known as small. */
const roughBytes = ({ message, snippet, trace, ...rest }: WireFinding): number =>
  1_500 +
  mostBytesPerUnit * (message.length + snippet.length + rest.recommendation.length) +
  trace.reduce((sum, step) => sum + 150 + mostBytesPerUnit * step.message.length, 0)

const exactBytes = (finding: WireFinding): number => {
  const json = JSON.stringify(finding)
  return utf8Length(json, 0, json.length)
}

/** The first ones that fit together, each with its cut version. */
const fitting = <T extends WireFinding>(
  chosen: readonly T[],
  cutOne: (finding: T) => T,
  budget: number,
): { kept: ReadonlyMap<T, T>; bytes: number } => {
  const kept = new Map(chosen.map((finding) => [finding, cutOne(finding)]))
  let bytes = 0
  for (const short of kept.values()) bytes += roughBytes(short)
  if (bytes <= budget) return { kept, bytes }
  bytes = 0
  let isFull = false
  for (const [finding, short] of kept) {
    const size: number = isFull ? 0 : exactBytes(short)
    isFull ||= bytes + size > budget
    if (isFull) kept.delete(finding)
    else bytes += size
  }
  return { kept, bytes }
}

const mostSevere = <T extends WireFinding>(findings: readonly T[]): readonly T[] =>
  findings.length > resultBounds.findings ? firstOf([...findings].sort(bySeverity)) : findings

const firstOf = <T>(list: readonly T[]): readonly T[] =>
  list.length > resultBounds.findings ? list.slice(0, resultBounds.findings) : list

/** Readers expect the order of the file. */
const inGivenOrder = <T extends WireFinding>(all: readonly T[], kept: ReadonlyMap<WireFinding, WireFinding>): T[] =>
  all.flatMap((finding) => (kept.get(finding) as T | undefined) ?? [])

const leftOut = (n: number, what: string): Diagnostic[] =>
  n === 0
    ? []
    : [{ code: 'result-bounded', line: null, message: `${n} further ${what} were left out; the counts include them.` }]

const cutDiagnostic = (diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  message: cutSentence(diagnostic.message),
})

/** The same result within its bounds. */
export const withinBounds = (result: ScanResult): ScanResult => {
  const { dataVulnerabilities, advisories, suppressed, parseErrors, diagnostics } = result
  const open = [...dataVulnerabilities, ...advisories]
  const shown = fitting<WireFinding>(mostSevere(open), cutFinding, bytesOfFindings)
  const aside = fitting(mostSevere(suppressed), cutSuppressed, bytesOfFindings - shown.bytes)
  const notes = [
    ...leftOut(open.length - shown.kept.size, 'findings'),
    ...leftOut(suppressed.length - aside.kept.size, 'suppressed findings'),
    ...leftOut(parseErrors.length - firstOf(parseErrors).length, 'parse errors'),
    ...leftOut(diagnostics.length - firstOf(diagnostics).length, 'diagnostics'),
  ]
  return {
    ...result,
    dataVulnerabilities: inGivenOrder(dataVulnerabilities, shown.kept),
    advisories: inGivenOrder(advisories, shown.kept),
    suppressed: inGivenOrder(suppressed, aside.kept),
    parseErrors: firstOf(parseErrors).map((error) => ({ ...error, message: cutSentence(error.message) })),
    diagnostics: [...firstOf(diagnostics).map(cutDiagnostic), ...notes],
    completeness: notes.length > 0 ? 'partial' : result.completeness,
    bestPractices: cutPractices(result.bestPractices),
  }
}
