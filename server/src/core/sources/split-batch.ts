import { Refusal, refuse } from '../errors.ts'
import {
  collectSources,
  isArchiveName,
  isRecord,
  parseJson,
  type Submission,
  unpackArchive,
} from './collect-sources.ts'
import { type Labels, labelNames, labelsOfDocument, labelsOfForm } from './labels.ts'
import { storeSubmissionHere } from './stored-submission.ts'
import { isTooLarge, type Upload, type UploadedFile } from './upload.ts'

export interface BatchLimits {
  /** Of all of it. */
  readonly maxBytes: number
  /** Of each scan. */
  readonly maxScanBytes: number
  readonly maxScans: number
}

/** One scan of a batch, with its sources as they are stored. */
export interface BatchEntry {
  readonly name: string
  readonly sizeBytes: number
  readonly labels: Labels
  readonly upload: Uint8Array
}

/** The scans of a batch, or the first reason why it is none: what is wrong with one scan names it. */
export function splitBatch(upload: Upload, limits: BatchLimits): BatchEntry[] {
  if (isTooLarge(upload)) refuse('fileTooLarge', limits.maxBytes)
  const parts = upload.document
    ? partsOfDocument(upload.document)
    : upload.files.flatMap((file) => partsOf(file, labelFields(upload), limits))
  if (parts.length === 0) refuse('noFile')
  if (parts.length > limits.maxScans) refuse('batchTooLong', limits.maxScans)
  return parts.map((part) => toEntry(part, limits.maxScanBytes))
}

interface Part {
  /** As a refusal calls it. */
  readonly label: string
  readonly upload: Upload
}

/** Those of the whole batch, each of which is one of every scan in it. */
function labelFields(upload: Upload): Upload['fields'] {
  const labels = labelsOfForm(upload)
  return labelNames.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]] as const]))
}

const filePart = (name: string, bytes: Buffer, fields: Upload['fields']): Part => ({
  label: name.slice(0, 200),
  upload: { files: [{ name, bytes, isTooLarge: false }], fields },
})

/** An archive is opened, and each source in it is a scan of its own. */
function partsOf(file: UploadedFile, fields: Upload['fields'], { maxBytes, maxScans }: BatchLimits): Part[] {
  if (!isArchiveName(file.name)) return [filePart(file.name, file.bytes, fields)]
  const sources = unpackArchive(file, { maxBytes, tooMany: () => refuse('batchTooLong', maxScans), maxFiles: maxScans })
  return sources.map(({ path, bytes }) => filePart(path, bytes, fields))
}

const documentPart = (label: string, document: unknown): Part => ({
  label,
  upload: { files: [], fields: [], document: Buffer.from(JSON.stringify(document)) },
})

/** `scans`: documents as a single scan takes them; or `sources`, each a scan of its own. */
function partsOfDocument(bytes: Uint8Array): Part[] {
  const { scans, sources, ...rest } = (parseJson(bytes) ?? {}) as Record<string, unknown>
  const labels = labelsOfDocument(rest)
  if (Array.isArray(scans))
    return scans.map((scan, index) => documentPart(`scans[${index}]`, isRecord(scan) ? { ...labels, ...scan } : scan))
  if (!isRecord(sources)) return refuse('invalid', 'scans must be an array, or sources an object.')
  return Object.entries(sources).map(([fileName, source]) =>
    documentPart(fileName.slice(0, 200), {
      ...labels,
      fileName,
      source: (source as { content?: unknown } | null)?.content,
    }),
  )
}

function toEntry({ label, upload }: Part, maxBytes: number): BatchEntry {
  const submission = collect(label, upload, maxBytes)
  const { name, sizeBytes, labels } = submission
  return { name, sizeBytes, labels, upload: storeSubmissionHere(submission) }
}

function collect(label: string, upload: Upload, maxBytes: number): Submission {
  try {
    return collectSources(upload, maxBytes)
  } catch (error) {
    if (error instanceof Refusal) return refuse('batchEntryRefused', label, error.message)
    throw error
  }
}
