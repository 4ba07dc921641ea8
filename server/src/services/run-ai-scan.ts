import type { ScanResult } from '@assay/engine'
import type { Scanned } from '../analysis/tasks.ts'
import { elapsedMs } from '../core/clock.ts'
import { Refusal, type RefusalName, refuse } from '../core/errors.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import { pack } from '../core/stored.ts'
import type { AiFailure, AiGateway } from '../gateways/ai-gateway.ts'
import { createAiReportStore } from '../stores/ai-reports.ts'
import type { Db } from '../stores/database.ts'
import { buildPrompt } from './ai-prompt.ts'
import { renderAiReport } from './ai-report.ts'
import { type AiResults, mergeFindings, parseAnswer } from './ai-verdict.ts'
import { analyse, assertNoOverruns, expectScanned, ownerOf } from './analyse.ts'
import { type Attempt, attemptScan, type Place, storeScan } from './attempt-scan.ts'
import type { Limits } from './limits.ts'
import { findInjections, neutralise } from './prompt-injection.ts'
import type { RunScanDeps } from './run-scan.ts'
import { assertQuotaLeft } from './scan-quota.ts'
import { checkSource, type Upload, type UploadedFile } from './upload.ts'

export interface AiScanDeps extends RunScanDeps {
  readonly aiGateway: AiGateway
  readonly randomness: Randomness
}

export interface AiScanRequest {
  readonly accountId: string
  readonly limits: Limits
  readonly receive: () => Promise<Upload>
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal
  /** From the first call on the scan is under way: refusals before it concern the request, those after it the work. */
  readonly onProgress: (progress: AiProgress) => void
  readonly onStored: (tx: Db, answer: AiScanAnswer) => Promise<void>
}

export type AiProgress =
  | { readonly stage: 'scanning' }
  | { readonly stage: 'asking'; readonly candidates: number }
  | { readonly stage: 'receiving'; readonly attempt: number; readonly receivedCharacters: number }
  | { readonly stage: 'checking' }

/** The body of the answer, as the interface writes it. */
export interface AiScanAnswer {
  readonly success: true
  readonly message: string
  readonly scanId: string
  readonly timeTaken: string
  readonly results: AiResults
  readonly outputFile: string
  /** Of the static analysis: the model has no say in it. */
  readonly securityScore: ScanResult['securityScore']
}

const maxAnswerTokens = 8_000
/** No model reads more, and preparing it would hold up everyone else. */
const maxPromptBytes = 2_000_000
const maxKeyLength = 512
const maxModelLength = 200
const nonceBytes = 16

/** An AI-assisted scan from upload to stored report. The gateway key stays in this call's memory. */
export async function runAiScan(
  deps: AiScanDeps,
  request: AiScanRequest,
): Promise<AiScanAnswer & { scansToday: number }> {
  const startedAt = elapsedMs()
  const { accountId, limits } = request
  await assertQuotaLeft(deps, accountId, limits)
  await assertNoOverruns(deps, accountId)
  const upload = await request.receive()
  const file = checkSource(upload, limits.maxFileBytes)
  const { key, model } = readCredentials(upload)
  if (file.bytes.length > maxPromptBytes) refuse('aiContextTooLong')
  const attempt = { kind: 'ai', accountId, limits, file, isFailure } as const
  return attemptScan(deps, attempt, async (place) => {
    const { scanId, at, reservation } = place
    request.onProgress({ stage: 'scanning' })
    const outcome = await scanFile(deps, request, file, place)
    const { results, model: usedModel } = await askModel(deps, request, { file, outcome, key, model })
    const timeTaken = `${(elapsedMs() - startedAt).toFixed(3)} milliseconds`
    const outputFile = `ai-report-${at.toISOString().replaceAll(':', '-')}-${scanId}.md`
    const answer: AiScanAnswer = {
      success: true,
      message: messageOf(results),
      scanId,
      timeTaken,
      results,
      outputFile,
      securityScore: outcome.securityScore,
    }
    await store(deps, attempt, request, { place, outcome, answer, model: usedModel })
    return { ...answer, scansToday: reservation.scansToday }
  })
}

/** What the caller did wrong is no failed scan; a gateway or a worker that broke down is. */
const isFailure = (error: unknown): boolean =>
  !(error instanceof Refusal && (error.status < 500 || noFault.has(error.refusal)))

/** Nobody's fault: there was no room, or nobody left to hear of it. */
const noFault = new Set<RefusalName>(['scanQueueFull', 'shuttingDown'])

/** The last value of a field that came twice would be a surprise to whoever checks the first. */
function readCredentials({ fields }: Upload): { key: string; model: string } {
  const field = (name: string): string => fields.find(([given]) => given === name)?.[1].trim() ?? ''
  const key = field('openrouterApiKey')
  const model = field('model')
  if (key === '') return refuse('aiKeyMissing')
  if (model === '') return refuse('aiModelMissing')
  // What cannot stand in a header cannot be a key.
  if (key.length > maxKeyLength || !/^[\x21-\x7e]+$/.test(key)) return refuse('aiKeyRejected')
  if (model.length > maxModelLength || !/^[\x21-\x7e]+$/.test(model)) return refuse('aiModelUnknown')
  return { key, model }
}

async function scanFile(
  deps: AiScanDeps,
  { accountId, limits, signal }: AiScanRequest,
  file: UploadedFile,
  { scanId, at }: Place,
): Promise<Scanned> {
  const owner = ownerOf(accountId, limits)
  const { maxContractBytes } = limits
  const work = deps.analysis.scan(
    {
      source: file.bytes,
      scanId,
      file: `uploads/${scanId}.sol`,
      maxContractBytes,
      suppressions: 'honour',
      format: 'json',
      scannedAt: at.toISOString(),
    },
    { owner, signal },
  )
  return expectScanned(await analyse(deps, owner, work), maxContractBytes)
}

async function askModel(
  deps: AiScanDeps,
  request: AiScanRequest,
  { file, outcome, key, model }: { file: UploadedFile; outcome: Scanned; key: string; model: string },
): Promise<{ results: AiResults; model: string }> {
  const source = file.bytes.toString('utf8')
  const scan = JSON.parse(Buffer.from(outcome.body).toString('utf8')) as ScanResult
  const attempts = findInjections(source)
  const shown = neutralise(source, attempts)
  const prompt = buildPrompt({
    code: shown,
    candidates: scan.dataVulnerabilities,
    nonce: randomHex(deps.randomness, nonceBytes),
  })
  request.onProgress({ stage: 'asking', candidates: scan.dataVulnerabilities.length })
  const reply = await deps.aiGateway.complete({
    key,
    model,
    ...prompt,
    maxTokens: maxAnswerTokens,
    signal: request.signal,
    onProgress: ({ attempt, receivedCharacters }) =>
      request.onProgress({ stage: 'receiving', attempt, receivedCharacters }),
  })
  if (reply.kind !== 'answer') return refuseGateway(deps, reply)
  request.onProgress({ stage: 'checking' })
  const answer = parseAnswer(reply.text)
  if (!answer) return refuseGateway(deps, { kind: 'unusable', detail: 'the answer is not the JSON asked for' })
  return { results: mergeFindings({ answer, scan, source, shown, attempts }), model: reply.model ?? model }
}

/** Our words for what went wrong there; what the gateway said itself stays out of answers and logs. */
function refuseGateway(deps: Pick<AiScanDeps, 'log'>, failure: AiFailure): never {
  deps.log.warn({ kind: failure.kind, detail: failure.detail }, 'the AI gateway gave no answer')
  switch (failure.kind) {
    case 'keyRejected':
      return refuse('aiKeyRejected')
    case 'noCredit':
      return refuse('aiCreditMissing')
    case 'unknownModel':
      return refuse('aiModelUnknown')
    case 'tooLong':
      return refuse('aiContextTooLong')
    case 'moderated':
      return refuse('aiModerated')
    case 'throttled':
      return refuse('aiBusy', failure.retryAfterSeconds)
    case 'timeout':
      return refuse('aiTimeout')
    default:
      return refuse('aiFailed')
  }
}

function messageOf({ vulnerabilities }: AiResults): string {
  const attempts = vulnerabilities.filter(({ title }) => title === 'Prompt injection text in source').length
  const found = vulnerabilities.length - attempts
  const parts = [`AI analysis completed: ${found} ${found === 1 ? 'vulnerability' : 'vulnerabilities'} found.`]
  if (attempts > 0) parts.push('The file contains text that tries to instruct the model.')
  return parts.join(' ')
}

interface Finished {
  readonly place: Place
  readonly outcome: Scanned
  readonly answer: AiScanAnswer
  readonly model: string
}

async function store(
  deps: AiScanDeps,
  attempt: Attempt,
  request: AiScanRequest,
  { place, outcome, answer, model }: Finished,
): Promise<void> {
  const { scanId, at } = place
  const { results, outputFile, timeTaken } = answer
  const report = renderAiReport({ ...answer, fileName: attempt.file.name, scannedAt: at, model })
  const plain = JSON.parse(Buffer.from(outcome.body).toString('utf8')) as ScanResult
  const result = pack(Buffer.from(JSON.stringify({ ...plain, aiAnalysis: { ...results, outputFile, timeTaken } })))
  const body = { source: outcome.storedSource, result }
  await storeScan(deps, attempt, { place, outcome, body }, async (tx) => {
    await createAiReportStore(tx).add({
      name: outputFile,
      scan_id: scanId,
      account_id: attempt.accountId,
      body: pack(Buffer.from(report)),
      created_at: at.getTime(),
    })
    await request.onStored(tx, answer)
  })
}
