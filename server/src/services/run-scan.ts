import { createHash } from 'node:crypto'
import type { FileProgress } from '@assay/engine'
import { isKnownSource, isTestTool, withoutCopies } from '@assay/engine/paths'
import type { AnswerFormat, ScanTask } from '../analysis/tasks.ts'
import { Refusal, refuse } from '../core/errors.ts'
import type { Submission } from '../core/sources/collect-sources.ts'
import { findForMeaning } from '../core/sources/source-paths.ts'
import type { Upload } from '../core/sources/upload.ts'
import { pack, unpackElsewhere } from '../core/stored.ts'
import type { Db } from '../stores/database.ts'
import { createScanStore } from '../stores/scans.ts'
import type { ScanTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import {
  type AnalyseDeps,
  analyse,
  assertMayWork,
  assertStillThere,
  countCutShort,
  expectScanned,
  ownerOf,
} from './analyse.ts'
import { type Attempt, type AttemptDeps, attemptScan, type Place, storeScan } from './attempt-scan.ts'
import type { GateVerdict } from './gate.ts'
import { findOldest } from './history.ts'
import { type ProjectScope, readScope, withinScope } from './project-scope.ts'
import { proveScan } from './prove-scan.ts'
import { type ReadSubmissionDeps, readSubmission } from './read-submission.ts'
import { assertQuotaLeft } from './scan-quota.ts'
import { listRecords, listSetAside } from './set-aside.ts'

export type RunScanDeps = AttemptDeps & AnalyseDeps & ReadSubmissionDeps

export interface ScanRequest {
  readonly accountId: string
  readonly limits: Limits
  /** The credential of the caller. */
  readonly via: ScanTable['via']
  /** Of this moment, if known. */
  readonly scansToday?: number | undefined
  /** Fires when the client goes away. */
  readonly signal: AbortSignal
  /** Reads the body; called only when the quota allows a scan. */
  readonly receive: () => Promise<Upload>
  readonly suppressions: ScanTask['suppressions']
  readonly format: AnswerFormat
  /** `all`: tests, scripts and dependencies are reported too. */
  readonly scope: 'product' | 'all'
  /** Id of an earlier scan to compare with. */
  readonly baseline?: string | undefined
  /** Hears how many files of a project are analysed. */
  readonly onProgress?: ((progress: FileProgress) => void) | undefined
  /** Whether the findings are to be executed. */
  readonly prove?: boolean | undefined
  /** Joins the transaction that stores the result. */
  readonly onStored?: ((tx: Db, answer: ScanAnswer) => Promise<void>) | undefined
}

export interface ScanAnswer {
  readonly scanId: string
  readonly body: Uint8Array
  /** The same, compressed. */
  readonly storedBody: Uint8Array
  readonly scansToday: number
}

/** What shapes the work, however the sources came. */
export type PerformRequest = Omit<ScanRequest, 'receive' | 'scansToday'> & {
  /** Nobody waits for it. */
  readonly isQueued?: boolean
  /** How often it was begun before. */
  readonly tries?: number
}

/** A standard scan from upload to stored result, with every check in the order the interface promises. */
export async function runScan(deps: RunScanDeps, request: ScanRequest): Promise<ScanAnswer> {
  const submission = await receiveScan(deps, request)
  const baseline = await readBaseline(deps, request)
  const isFailure = (error: unknown) => !(error instanceof Refusal)
  const attempt = { ...describeAttempt(request, submission), isFailure }
  return attemptScan(deps, attempt, (place) => performScan(deps, request, { attempt, place, submission, baseline }))
}

/** What is to be scanned, if the day and the account's past allow any scan at all. */
export async function receiveScan(
  deps: RunScanDeps,
  request: Pick<ScanRequest, 'accountId' | 'limits' | 'scansToday' | 'signal' | 'receive'>,
): Promise<Submission> {
  const { accountId, limits } = request
  if (request.scansToday === undefined || request.scansToday >= limits.scansPerDay || limits.key) {
    await assertQuotaLeft(deps, accountId, limits)
  }
  await assertMayWork(deps, accountId, limits)
  return readSubmission(deps, request, await request.receive())
}

export const describeAttempt = (
  { accountId, limits, via }: Pick<ScanRequest, 'accountId' | 'limits' | 'via'>,
  { name, sizeBytes, sources, labels }: Submission,
) => {
  const file = { name, sizeBytes, paths: sources.map(({ path }) => path) }
  return { kind: 'standard', accountId, limits, via, file, labels } as const
}

export interface ScanWork {
  readonly attempt: Attempt
  readonly place: Place
  readonly submission: Submission
  /** The stored result of the scan to compare with. */
  readonly baseline: Uint8Array | undefined
}

/** The analysis itself, and its result stored and charged. */
export async function performScan(
  deps: RunScanDeps,
  request: PerformRequest,
  { attempt, place, submission, baseline }: ScanWork,
): Promise<ScanAnswer> {
  const { accountId, limits, signal, onProgress, isQueued, tries } = request
  const { project } = submission.labels
  const setAside = project === undefined ? [] : await listSetAside(deps, accountId, project)
  const known = project === undefined ? [] : await listRecords(deps, accountId, project)
  const scope = await readScope(deps, accountId, submission)
  const task = { ...scanTask(request, place, submission, scope), baseline, setAside, known }
  const owner = ownerOf(accountId, limits)
  const work = deps.analysis.scan(task, { owner, signal, onProgress, isQueued, tries })
  const scanned = expectScanned(await analyse(deps, owner, work, { isRetried: isQueued }), limits.maxContractBytes)
  if (scanned.isCutShort) await countCutShort(deps, accountId)
  const outcome = request.prove ? await proveScan(deps, request, scanned, task) : scanned
  assertStillThere(signal)
  const { scanId, scansToday } = place
  let answer = { scanId, body: outcome.body, storedBody: outcome.storedBody, scansToday }
  const body = { source: outcome.storedSource, result: outcome.storedResult }
  await storeScan(deps, attempt, { place, outcome, body }, async (tx, { renamed, gate }) => {
    if (renamed.size > 0) answer = await withTheirIds(tx, answer, body, renamed)
    if (gate && request.format === 'json') answer = withGate(answer, gate)
    await request.onStored?.(tx, answer)
  })
  return answer
}

/** Another scan of the project found the same for the first time while this one was under way: its records stay. */
async function withTheirIds(
  tx: Db,
  answer: ScanAnswer,
  stored: { readonly result: Uint8Array },
  renamed: ReadonlyMap<string, string>,
): Promise<ScanAnswer> {
  const body = renameIds(answer.body, renamed)
  await createScanStore(tx).replaceResult(answer.scanId, pack(renameIds(await unpackElsewhere(stored.result), renamed)))
  return { ...answer, body, storedBody: pack(body) }
}

/** Known once the records are kept. The closing brace gives way to it. */
function withGate(answer: ScanAnswer, gate: GateVerdict): ScanAnswer {
  const body = Buffer.concat([answer.body.subarray(0, -1), Buffer.from(`,"gate":${JSON.stringify(gate)}}`)])
  return { ...answer, body, storedBody: pack(body) }
}

const renameIds = (bytes: Uint8Array, renamed: ReadonlyMap<string, string>): Buffer =>
  Buffer.from(
    Buffer.from(bytes)
      .toString()
      .replace(/\bfnd_[0-9a-z]+/g, (id) => renamed.get(id) ?? id),
  )

const scanTask = (
  request: PerformRequest,
  { scanId, at }: Place,
  submission: Submission,
  scope: ProjectScope | null,
) => ({
  ...submission,
  fileName: submission.name,
  reported: withinScope(reportedPaths(submission, request.scope), scope),
  remappings: [...(scope?.remappings ?? []), ...submission.remappings],
  scanId,
  file: submission.isProject ? `uploads/${scanId}` : `uploads/${scanId}.sol`,
  maxContractBytes: request.limits.maxContractBytes,
  suppressions: request.suppressions,
  format: request.format,
  scannedAt: at.toISOString(),
})

/** Of a project what gets deployed; all of it on request, or when there is nothing else. */
function reportedPaths({ sources, isProject, packages = [] }: Submission, scope: ScanRequest['scope']): string[] {
  const paths = sources.map(({ path }) => path)
  if (!isProject || scope !== 'product') return paths
  const isForMeaning = findForMeaning(paths)
  const isPackaged = (path: string): boolean => packages.some((folder) => path.startsWith(`${folder}/`))
  const product = sources
    .filter(({ path }) => !isForMeaning(path) && !isPackaged(path))
    .map(({ path, bytes }) => ({ path, text: Buffer.from(bytes).toString() }))
    .filter(({ text }) => !isTestTool(text))
  const own = withoutCopies(product, ({ text }) => isKnownSource(text, sha256))
  return own.length > 0 ? own.map(({ path }) => path) : paths
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Refuses one that is not there. */
export async function readBaseline(
  deps: RunScanDeps,
  { accountId, limits, baseline }: Pick<ScanRequest, 'accountId' | 'limits' | 'baseline'>,
): Promise<Uint8Array | undefined> {
  if (baseline === undefined) return undefined
  const scans = createScanStore(deps.db)
  const found = await scans.find(accountId, baseline, findOldest(deps.clock, limits))
  return (found && (await scans.findBody(found.id, 'result'))) ?? refuse('scanNotFound')
}
