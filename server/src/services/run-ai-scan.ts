import type { AiMerged, Scanned } from '../analysis/tasks.ts'
import { elapsedMs } from '../core/clock.ts'
import { Refusal, type RefusalName, refuse } from '../core/errors.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import { type Labels, labelsOfForm } from '../core/sources/labels.ts'
import { cleanName } from '../core/sources/source-paths.ts'
import { checkSource, type Upload, type UploadedFile } from '../core/sources/upload.ts'
import type { AiFailure, AiGateway } from '../gateways/ai-gateway.ts'
import { createAiReportStore } from '../stores/ai-reports.ts'
import type { Db } from '../stores/database.ts'
import type { Limits } from './admission.ts'
import { analyse, assertMayWork, expectScanned, ownerOf } from './analyse.ts'
import { type Attempt, attemptScan, type Place, storeScan } from './attempt-scan.ts'
import type { RunScanDeps } from './run-scan.ts'
import { assertQuotaLeft } from './scan-quota.ts'
import { listRecords } from './set-aside.ts'

export interface AiScanDeps extends RunScanDeps {
  readonly aiGateway: AiGateway
  readonly randomness: Randomness
}

export interface AiScanRequest {
  readonly accountId: string
  readonly limits: Limits
  /** The credential of the caller. */
  readonly via: Attempt['via']
  readonly suppressions: 'honour' | 'ignore'
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

export interface AiScanAnswer {
  /** JSON, as the interface writes it. */
  readonly body: Uint8Array
  /** The same, compressed. */
  readonly storedBody: Uint8Array
  readonly scansToday: number
}

const maxAnswerTokens = 8_000
const maxKeyLength = 512
const maxModelLength = 200
const nonceBytes = 16

/** An AI-assisted scan from upload to stored report. The gateway key stays in this call's memory. */
export async function runAiScan(deps: AiScanDeps, request: AiScanRequest): Promise<AiScanAnswer> {
  const startedAt = elapsedMs()
  const { accountId, limits, via } = request
  await assertQuotaLeft(deps, accountId, limits)
  await assertMayWork(deps, accountId, limits)
  const upload = await request.receive()
  const file = checkSource(upload, limits.maxFileBytes)
  const credentials = readCredentials(upload)
  const name = cleanName(file.name)
  const named = { name, sizeBytes: file.bytes.length, paths: [name] }
  const labels = labelsOfForm(upload)
  const attempt = { kind: 'ai', accountId, limits, via, file: named, labels, isFailure } as const
  return attemptScan(deps, attempt, async (place) => {
    request.onProgress({ stage: 'scanning' })
    const outcome = await scanFile(deps, request, file, place, labels)
    const scanned = { file, outcome, place, outputFile: reportName(place) }
    const reply = await requestReview(deps, request, scanned, credentials)
    const merged = await mergeReply(deps, request, scanned, { ...reply, startedAt })
    const { body, storedBody } = merged
    const answer = { body, storedBody, scansToday: place.scansToday }
    await store(deps, attempt, scanned, merged, async (tx) => request.onStored(tx, answer))
    return answer
  })
}

interface ScannedFile {
  readonly file: UploadedFile
  readonly outcome: Scanned
  readonly place: Place
  readonly outputFile: string
}

const reportName = ({ at, scanId }: Place): string => `ai-report-${at.toISOString().replaceAll(':', '-')}-${scanId}.md`

/** What the caller did wrong is no failed scan; a gateway or a worker that broke down is. */
const isFailure = (error: unknown): boolean =>
  !(error instanceof Refusal && (error.status < 500 || noFault.has(error.refusal)))

/** Nobody's fault: there was no room, or nobody left to hear of it. */
const noFault = new Set<RefusalName>(['scanQueueFull', 'shuttingDown'])

/** The last value of a field that came twice would be a surprise to anyone who checks the first. */
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
  { accountId, limits, signal, suppressions }: AiScanRequest,
  file: UploadedFile,
  { scanId, at }: Place,
  { project }: Labels,
): Promise<Scanned> {
  const fileName = cleanName(file.name)
  const owner = ownerOf(accountId, limits)
  const { maxContractBytes } = limits
  const work = deps.analysis.scan(
    {
      sources: [{ path: fileName, bytes: file.bytes }],
      reported: [fileName],
      remappings: [],
      isProject: false,
      fileName,
      scanId,
      file: `uploads/${scanId}.sol`,
      maxContractBytes,
      suppressions,
      format: 'json',
      scannedAt: at.toISOString(),
      known: project === undefined ? [] : await listRecords(deps, accountId, project),
    },
    { owner, signal },
  )
  return expectScanned(await analyse(deps, owner, work), maxContractBytes)
}

async function requestReview(
  deps: AiScanDeps,
  request: AiScanRequest,
  { file, outcome }: ScannedFile,
  { key, model }: { readonly key: string; readonly model: string },
): Promise<{ text: string; model: string }> {
  const owner = ownerOf(request.accountId, request.limits)
  const { signal } = request
  const nonce = randomHex(deps.randomness, nonceBytes)
  const task = { source: file.bytes, result: outcome.storedResult, nonce }
  const { messages, schema, candidates } = await analyse(
    deps,
    owner,
    deps.analysis.prepareQuestion(task, { owner, signal }),
  )
  request.onProgress({ stage: 'asking', candidates })
  const reply = await deps.aiGateway.complete({
    key,
    model,
    messages,
    schema,
    maxTokens: maxAnswerTokens,
    signal,
    onProgress: ({ attempt, receivedCharacters }) =>
      request.onProgress({ stage: 'receiving', attempt, receivedCharacters }),
  })
  if (reply.kind !== 'answer') return refuseGateway(deps, reply)
  return { text: reply.text, model: reply.model ?? model }
}

async function mergeReply(
  deps: AiScanDeps,
  request: AiScanRequest,
  { file, outcome, place, outputFile }: ScannedFile,
  { text, model, startedAt }: { readonly text: string; readonly model: string; readonly startedAt: number },
): Promise<AiMerged> {
  request.onProgress({ stage: 'checking' })
  const owner = ownerOf(request.accountId, request.limits)
  const facts = {
    scanId: place.scanId,
    fileName: file.name,
    scannedAt: place.at.toISOString(),
    model,
    timeTaken: `${(elapsedMs() - startedAt).toFixed(3)} milliseconds`,
    outputFile,
  }
  const task = { source: file.bytes, result: outcome.storedResult, answer: text, facts }
  const merged = await analyse(deps, owner, deps.analysis.mergeAnswer(task, { owner, signal: request.signal }))
  return merged ?? refuseGateway(deps, { kind: 'unusable', detail: 'the answer is not the JSON asked for' })
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

async function store(
  deps: AiScanDeps,
  attempt: Attempt,
  { outcome, place, outputFile }: ScannedFile,
  { storedResult, storedReport }: AiMerged,
  afterwards: (tx: Db) => Promise<void>,
): Promise<void> {
  const body = { source: outcome.storedSource, result: storedResult }
  await storeScan(deps, attempt, { place, outcome, body }, async (tx) => {
    await createAiReportStore(tx).add({
      name: outputFile,
      scan_id: place.scanId,
      account_id: attempt.accountId,
      body: storedReport,
      created_at: place.at.getTime(),
    })
    await afterwards(tx)
  })
}
