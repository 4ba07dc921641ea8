import type { ScanResult, WireSuppressed, WireVulnerability } from '@assay/engine'
import { z } from 'zod'
import { type InjectionAttempt, withoutHidden } from './prompt-injection.ts'
import { createQuoteFinder, type QuoteFinder } from './quotes.ts'
import { findFunctions, type LineRange } from './solidity-text.ts'

/** One entry of `results.vulnerabilities`. */
export interface AiVulnerability {
  readonly vulnerabilityId: string | null
  readonly title: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info'
  readonly confidence: 'high' | 'medium' | 'low'
  readonly line: number
  readonly endLine: number
  readonly description: string
  readonly recommendation: string
  /** Who found it: the engine, the model, or both. */
  readonly agreement: 'both' | 'ai' | 'static'
  /** What the model said of a finding of the engine; null where it gave none. */
  readonly aiVerdict: 'confirmed' | 'doubted' | 'unsure' | null
  readonly aiReason: string | null
}

export interface AiResults {
  readonly summary: string
  readonly vulnerabilities: readonly AiVulnerability[]
  readonly recommendations: readonly string[]
  /** Of the engine, set aside by comments in the file. */
  readonly suppressed: readonly AiVulnerability[]
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value)
const words = (max: number) => z.string().transform((text) => clean(text, max))

const verdictSchema = z.object({
  candidate: z.coerce.number().int(),
  verdict: z.preprocess(lower, z.enum(['confirmed', 'doubted', 'unsure'])),
  reason: words(2_000).catch(''),
  quote: z.string().nullish(),
})

const addedSchema = z.object({
  vulnerabilityId: z.string().nullish().catch(null),
  title: words(200),
  severity: z.preprocess(
    (value) => (lower(value) === 'informational' ? 'info' : lower(value)),
    z.enum(['critical', 'high', 'medium', 'low', 'info']),
  ),
  confidence: z.preprocess(lower, z.enum(['high', 'medium', 'low'])).catch('low'),
  line: z.coerce.number().int().min(1),
  endLine: z.coerce.number().int().min(1).nullish().catch(null),
  quote: z.string().nullish(),
  description: words(4_000).catch(''),
  recommendation: words(4_000).catch(''),
})

/** Models leave things out; an object with none of the parts that matter is no answer. */
const answerSchema = z
  .looseObject({
    summary: z.unknown().optional(),
    verdicts: z.unknown().optional(),
    vulnerabilities: z.unknown().optional(),
    recommendations: z.unknown().optional(),
  })
  .refine(({ summary, vulnerabilities }) => typeof summary === 'string' || Array.isArray(vulnerabilities))
  .transform((answer) => ({
    summary: typeof answer.summary === 'string' ? clean(answer.summary, 4_000) : '',
    verdicts: listOf(answer.verdicts),
    vulnerabilities: listOf(answer.vulnerabilities),
    recommendations: listOf(answer.recommendations),
  }))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export type AiAnswer = z.infer<typeof answerSchema>

const maxAdded = 100
/** No more were shown to the model. */
export const maxCandidates = 60
const maxRecommendations = 30
/** A file full of them says no more than a file with some. */
const maxAttempts = 20

/** The JSON object in the model's text, also inside a code fence; undefined when there is none that can be used. */
export function parseAnswer(text: string): AiAnswer | undefined {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start < 0 || end < start) return undefined
  try {
    const parsed = answerSchema.safeParse(JSON.parse(text.slice(start, end + 1)))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** The findings given to the model: counted, or set aside by a comment. */
type EngineFinding = WireVulnerability | WireSuppressed

export interface MergeInput {
  readonly answer: AiAnswer
  readonly scan: Pick<ScanResult, 'dataVulnerabilities' | 'suppressed' | 'bestPractices'>
  readonly source: string
  readonly attempts: readonly InjectionAttempt[]
}

/**
 * Brings both voices together. Every finding of the engine is in the result whatever the model says; what the model adds
 * must quote a line of code that is really there: a comment is no evidence.
 */
export function mergeFindings({ answer, scan, source, attempts }: MergeInput): AiResults {
  const quotes = createQuoteFinder(source)
  const findings: readonly EngineFinding[] = [...scan.dataVulnerabilities, ...scan.suppressed]
  const verdicts = readVerdicts(answer, quotes, findings.length)
  const added = readAdded(answer, quotes)
  const functionAt = createFunctionFinder(findFunctions(source))
  const isSame = (one: AiVulnerability, finding: EngineFinding): boolean => isSameWeakness(one, finding, functionAt)
  const fromEngine = findings.map((finding, index) => {
    const verdict = verdicts.get(index + 1)
    const isAlsoAdded = added.some((one) => isSame(one, finding))
    return toEntry(finding, verdict, isAlsoAdded)
  })
  const onlyModel = added.filter((one) => !findings.some((finding) => isSame(one, finding)))
  const counted = scan.dataVulnerabilities.length
  const recommendations = [...readRecommendations(answer), ...scan.bestPractices.recommendations]
  return {
    summary: answer.summary,
    vulnerabilities: [
      ...fromEngine.slice(0, counted),
      ...onlyModel,
      ...attempts.slice(0, maxAttempts).map(toAttemptEntry),
    ],
    recommendations: [...new Set(recommendations)],
    suppressed: fromEngine.slice(counted),
  }
}

/** One for each candidate; of an answer that repeats itself, no more is read than it could rightly hold twice. */
function readVerdicts(answer: AiAnswer, quotes: QuoteFinder, candidates: number) {
  const verdicts = new Map<number, z.infer<typeof verdictSchema>>()
  for (const item of answer.verdicts.slice(0, 2 * Math.min(candidates, maxCandidates))) {
    const parsed = verdictSchema.safeParse(item)
    if (!parsed.success) continue
    const { candidate, quote } = parsed.data
    if (candidate < 1 || candidate > candidates || verdicts.has(candidate)) continue
    // Evidence that is not in the file is no evidence, for either side.
    if (quote && quotes.find(quote, 1) === undefined) continue
    verdicts.set(candidate, parsed.data)
  }
  return verdicts
}

function readAdded(answer: AiAnswer, quotes: QuoteFinder): AiVulnerability[] {
  return answer.vulnerabilities.slice(0, maxAdded).flatMap((item) => {
    const parsed = addedSchema.safeParse(item)
    if (!parsed.success || parsed.data.title === '') return []
    const { quote, vulnerabilityId, title, severity, confidence, description, recommendation } = parsed.data
    const claimed = parsed.data.line
    const found = quote ? quotes.find(quote, claimed) : undefined
    const line = quote ? found : claimed <= quotes.lineCount && quotes.hasCode(claimed) ? claimed : undefined
    if (line === undefined) return []
    const length = Math.min(Math.max(0, (parsed.data.endLine ?? claimed) - claimed), 200)
    return [
      {
        vulnerabilityId: /^SWC-1\d\d$/.test(vulnerabilityId ?? '') ? (vulnerabilityId as string) : null,
        title,
        severity,
        // A place without its text is weaker evidence.
        confidence: quote ? confidence : 'low',
        line,
        endLine: Math.min(line + length, quotes.lineCount),
        description,
        recommendation,
        agreement: 'ai' as const,
        aiVerdict: null,
        aiReason: null,
      },
    ]
  })
}

/** The same class at the same place: models point at a function where the engine points at a line of it. */
function isSameWeakness(added: AiVulnerability, finding: EngineFinding, functionAt: FunctionFinder): boolean {
  const doTouch = added.line <= finding.endLine + 1 && finding.line <= added.endLine + 1
  if (!added.vulnerabilityId) {
    const title = simple(added.title)
    return doTouch && (title === simple(finding.title) || title === simple(finding.name))
  }
  if (added.vulnerabilityId !== finding.vulnerabilityId) return false
  if (doTouch) return true
  const around = functionAt(added.line)
  return around !== undefined && around === functionAt(finding.line)
}

type FunctionFinder = (line: number) => LineRange | undefined

/** Functions come in the order of the file and do not overlap, apart from sharing a line. */
function createFunctionFinder(functions: readonly LineRange[]): FunctionFinder {
  return (line) => {
    let low = 0
    let high = functions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((functions[middle]?.end ?? 0) < line) low = middle + 1
      else high = middle
    }
    const found = functions[low]
    return found && found.start <= line ? found : undefined
  }
}

const simple = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const toEntry = (
  finding: EngineFinding,
  verdict: z.infer<typeof verdictSchema> | undefined,
  isAlsoAdded: boolean,
): AiVulnerability => ({
  vulnerabilityId: finding.vulnerabilityId ?? null,
  title: finding.title,
  severity: finding.severity,
  confidence: finding.confidence,
  line: finding.line,
  endLine: finding.endLine,
  description: finding.message,
  recommendation: finding.recommendation,
  agreement: verdict?.verdict === 'confirmed' || isAlsoAdded ? 'both' : 'static',
  aiVerdict: verdict?.verdict ?? null,
  aiReason: verdict?.reason || null,
})

const places = {
  comment: 'A comment',
  string: 'A string',
  name: 'A name',
  unicode: 'Text made of hidden or reordering characters',
}

const toAttemptEntry = ({ where, line }: InjectionAttempt): AiVulnerability => ({
  vulnerabilityId: null,
  title: 'Prompt injection text in source',
  severity: 'info',
  confidence: 'medium',
  line,
  endLine: line,
  description: `${places[where]} at this place speaks to a language model rather than to a reader of the code. The model got it marked as data; the findings of the static analysis do not depend on it.`,
  recommendation: 'Find out who put it there, and read the code around it with suspicion.',
  agreement: 'static',
  aiVerdict: null,
  aiReason: null,
})

const readRecommendations = (answer: AiAnswer): string[] =>
  answer.recommendations
    .filter((item): item is string => typeof item === 'string')
    .map((item) => clean(item, 1_000))
    .filter((item) => item !== '')
    .slice(0, maxRecommendations)

/** Nothing invisible, nothing endless: the model's words are shown to people. */
function clean(text: string, max: number): string {
  const shown = withoutHidden(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
  return shown.trim().slice(0, max)
}
