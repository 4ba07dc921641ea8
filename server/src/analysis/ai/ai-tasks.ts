import type { ScanResult } from '@assay/engine'
import { pack, unpack } from '../../core/stored.ts'
import type { AiMerged, AiMergeTask, AiPromptTask, AiQuestion } from '../tasks.ts'
import { buildPrompt } from './ai-prompt.ts'
import { renderAiReport } from './ai-report.ts'
import { type AiResults, mergeFindings, parseAnswer } from './ai-verdict.ts'
import { findInjections } from './prompt-injection.ts'

/** To the letter, a byte-order mark too. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const readResult = (packed: Uint8Array): ScanResult => JSON.parse(unpack(packed).toString()) as ScanResult

/** The question to the model about a file and its findings. */
export function prepareQuestion({ source, result, nonce }: AiPromptTask): AiQuestion {
  const { dataVulnerabilities, suppressed } = readResult(result)
  const input = { source: decoder.decode(source), candidates: dataVulnerabilities, suppressed, nonce }
  const { messages, schema } = buildPrompt(input)
  return { messages, schema, candidates: dataVulnerabilities.length + suppressed.length }
}

/** The answer to the client, the stored result and the report; undefined when the model's words cannot be used. */
export function mergeAnswer(task: AiMergeTask): AiMerged | undefined {
  const answer = parseAnswer(task.answer)
  if (!answer) return undefined
  const source = decoder.decode(task.source)
  const scan = readResult(task.result)
  const results = mergeFindings({ answer, scan, source, attempts: findInjections(source) })
  const { scanId, timeTaken, outputFile, fileName, scannedAt, model } = task.facts
  const { securityScore, completeness, counts, engineVersion, sha256, createdAt } = scan
  const notes = notesOf(scan)
  const body = toJson({
    success: true,
    message: [messageOf(results), ...(notes === '' ? [] : [notes])].join(' '),
    scanId,
    timeTaken,
    results,
    outputFile,
    fileName,
    // Of the static analysis: the model has no say in it.
    securityScore,
    completeness,
    counts,
    engineVersion,
    sha256,
    createdAt,
  })
  const report = { scanId, fileName, scannedAt: new Date(scannedAt), model, timeTaken, securityScore, results, notes }
  return {
    body,
    storedBody: pack(body),
    storedResult: pack(toJson({ ...scan, aiAnalysis: { ...results, model, outputFile, timeTaken } })),
    storedReport: pack(Buffer.from(renderAiReport(report))),
  }
}

const toJson = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

/** What the static analysis says beyond what it found: severe advisories, imports that are missing, what could not be read. */
const notesOf = ({ message }: Pick<ScanResult, 'message'>): string =>
  message
    .replace(/^Scan completed: [^.]*\.\s*|In what was analyzed: [^.]*\.\s*/, '')
    .replace(/\d+ findings? suppressed by comments\.\s*/, '')
    .trim()

function messageOf({ vulnerabilities, suppressed }: AiResults): string {
  const attempts = vulnerabilities.filter(({ title }) => title === 'Prompt injection text in source').length
  const found = vulnerabilities.length - attempts
  const parts = [`AI analysis completed: ${found} ${found === 1 ? 'vulnerability' : 'vulnerabilities'} found.`]
  if (suppressed.length > 0) parts.push(suppressedWords(suppressed))
  if (attempts > 0) parts.push('The file contains text that tries to instruct the model.')
  return parts.join(' ')
}

function suppressedWords(suppressed: AiResults['suppressed']): string {
  const confirmed = suppressed.filter(({ agreement }) => agreement === 'both').length
  const words = `${suppressed.length} ${suppressed.length === 1 ? 'finding' : 'findings'} suppressed by comments`
  return confirmed === 0 ? `${words}.` : `${words}, ${confirmed} of them confirmed by the model.`
}
