import { createHash } from 'node:crypto'
import {
  compareScans,
  type Evidence,
  type FileProgress,
  openScan,
  provableFindings,
  type Report,
  type ScanResult,
  toProjectResult,
  toScanResult,
} from '@assay/engine'
import { Refusal } from '../core/errors.ts'
import { collectSources } from '../core/sources/collect-sources.ts'
import { caveatOf, type Origin } from '../core/sources/origin.ts'
import { splitBatch } from '../core/sources/split-batch.ts'
import { pack, unpack } from '../core/stored.ts'
import { mergeAnswer, prepareQuestion } from './ai/ai-tasks.ts'
import { attachProof } from './attach-proof.ts'
import { ownCpuMs } from './cpu-time.ts'
import { fixFindings } from './fix-findings.ts'
import { listLookedAt, toFound } from './found-rows.ts'
import { statedBy, withRecords } from './records.ts'
import { renderReport } from './render.ts'
import { serveTasks } from './serve-tasks.ts'
import type {
  FindingsPage,
  OutOfTime,
  PageTask,
  Proven,
  RenderTask,
  ScanOutcome,
  ScanTask,
  Split,
  SplitTask,
  Task,
  UnfinishedProofTask,
  Unpacked,
  UnpackTask,
  WithholdTask,
} from './tasks.ts'
import { withoutSource } from './without-source.ts'

/** Results are bounded where they are made; whatever slips through ends here, before it reaches the serving thread. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const decoder = new TextDecoder()
const encoder = new TextEncoder()

function work(task: Task, onProgress: (progress: FileProgress) => void): unknown {
  switch (task.task) {
    case 'unpack':
      return unpackUpload(task)
    case 'split':
      return split(task)
    case 'scan':
      return scanSource(task, onProgress)
    case 'unfinished-proof':
      return attachUnfinished(task)
    case 'render':
      return render(task)
    case 'withhold':
      return withhold(task)
    case 'page':
      return pageFindings(task)
    case 'fix':
      return fixFindings(task).then(encode)
    case 'ai-prompt':
      return prepareQuestion(task)
    case 'ai-merge':
      return mergeAnswer(task)
  }
}

const unpackUpload = ({ upload, maxBytes }: UnpackTask): Unpacked =>
  orRefused(() => ({ outcome: 'unpacked', submission: collectSources(upload, maxBytes) }))

const split = ({ upload, limits }: SplitTask): Split =>
  orRefused(() => ({ outcome: 'split', scans: splitBatch(upload, limits) }))

function orRefused<T>(read: () => T): T | Extract<Unpacked, { outcome: 'refused' }> {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { refusal: name, message: words, headers } = error
    return { outcome: 'refused', refusal: { name, words, headers } }
  }
}

function scanSource(task: ScanTask, onProgress: (progress: FileProgress) => void): ScanOutcome | OutOfTime {
  const endsAt = ownCpuMs() + task.cpuMs
  let contracts = 0
  const work = {
    isTimeUp: () => ownCpuMs() >= endsAt,
    observer: {
      analysed(some: readonly unknown[]) {
        contracts += some.length
      },
    },
  }
  const files = task.sources.map(({ path, bytes }) => ({ path, text: decoder.decode(bytes) }))
  const { suppressions, remappings, reported } = task
  const followed = task.isProject ? { onProgress } : {}
  const opened = openScan(files, { suppressions, remappings, reported, ...followed, ...work })
  const isMaybeTooLarge = task.sources.some(({ bytes }) => bytes.length > task.maxContractBytes)
  // No contract can be larger than its file.
  if (isMaybeTooLarge && opened.largestContractBytes() > task.maxContractBytes) return { outcome: 'contract-too-large' }
  const reports = opened.reports()
  const isCutShort = reports.some(({ diagnostics }) => diagnostics.some(({ code }) => code === 'not-reached'))
  if (isCutShort && contracts === 0) return { outcome: 'out-of-time' }
  const unreadable = findUnreadable(reports)
  if (unreadable) return { outcome: 'unreadable', ...unreadable }
  const sha256 = digest(task)
  const { scanId, file, fileName, scannedAt: createdAt } = task
  const options = { scanId, file, fileName, sha256, createdAt }
  const [first] = reports
  const plain = task.isProject || !first ? toProjectResult(reports, options) : toScanResult(first, options)
  const compared = task.baseline ? compareScans(parseResult(task.baseline), plain) : plain
  const result = withRecords(withOrigin(compared, task.origin), task.known ?? [], new Date(createdAt))
  const { setAside = [], labels } = task
  const body = encode(renderReport(result, task.format, task.scannedAt, setAside, labels))
  const storedResult = pack(encode(JSON.stringify(result)))
  return {
    outcome: 'scanned',
    storedSource: pack(storable(task)),
    storedResult,
    body,
    storedBody: pack(body),
    completeness: result.completeness,
    securityScore: result.securityScore,
    counts: result.counts,
    sha256,
    fileCount: task.sources.length,
    isProject: task.isProject,
    found: toFound(result, fileName),
    lookedAt: listLookedAt(result, fileName),
    isCutShort,
  }
}

/** Where it came from, and what a reader must know of that, stand in the result. */
const withOrigin = (result: ScanResult, origin: Origin | undefined): ScanResult & { origin?: Origin } =>
  origin ? { ...result, message: `${result.message}${caveatOf(origin)}`, origin } : result

/** Nothing of it is Solidity; of a project, nothing of any file. */
const findUnreadable = (reports: readonly Report[]): Report['unreadable'] =>
  reports.every(({ unreadable }) => unreadable !== null) ? (reports[0]?.unreadable ?? null) : null

/** Of the file's bytes; of a project's paths and the digests of their bytes, in order of path. */
function digest({ sources, isProject }: ScanTask): string {
  const of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
  const [first] = sources
  if (!isProject && first) return of(first.bytes)
  const lines = sources.map(({ path, bytes }) => `${of(bytes)}  ${path}\n`).sort()
  return of(lines.join(''))
}

/** A single file as it came; a project as JSON that can be uploaded again. */
function storable({ sources, remappings, isProject, fileName }: ScanTask): Uint8Array {
  const [first] = sources
  if (!isProject && first) return first.bytes
  const entries = sources.map(({ path, bytes }) => [path, { content: decoder.decode(bytes) }])
  return encoder.encode(JSON.stringify({ name: fileName, remappings, sources: Object.fromEntries(entries) }))
}

const render = ({ result, format, scannedAt, setAside, labels }: RenderTask): Uint8Array =>
  encode(renderReport(parseResult(result), format, scannedAt, setAside, labels))

function attachUnfinished({ result, received, rest, ...report }: UnfinishedProofTask): Proven {
  const parsed = parseResult(result)
  const evidence = provableFindings(parsed).map(
    (_, index) => JSON.parse(decoder.decode(received[index] ?? rest)) as Evidence,
  )
  return attachProof(parsed, evidence, report)
}

const withhold = ({ result }: WithholdTask): Uint8Array =>
  pack(encode(JSON.stringify(withoutSource(parseResult(result)))))

function pageFindings({ result, from, count, records }: PageTask): FindingsPage {
  const { dataVulnerabilities, advisories, suppressed, fileName, file } = parseResult(result)
  const stated = statedBy(records, fileName ?? file)
  const all = [
    ...dataVulnerabilities.map((finding) => ({ group: 'vulnerability', ...stated(finding) })),
    ...advisories.map((finding) => ({ group: 'advisory', ...stated(finding) })),
    ...suppressed.map((finding) => ({ group: 'suppressed', ...finding })),
  ]
  return { findings: encode(JSON.stringify(all.slice(from, from + count))), total: all.length }
}

function encode(text: string): Uint8Array {
  const bytes = encoder.encode(text)
  if (bytes.length > MAX_ANSWER_BYTES) throw new Error(`The answer would have ${bytes.length} bytes.`)
  return bytes
}

const parseResult = (stored: Uint8Array): ScanResult => JSON.parse(unpack(stored).toString()) as ScanResult

serveTasks(work)
