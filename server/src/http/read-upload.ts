import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { refusalOf } from '../core/errors.ts'
import { isArchiveName, maxProjectFiles } from '../core/sources/collect-sources.ts'
import type { DocumentKind, Upload, UploadedFile } from '../core/sources/upload.ts'
import { BrokenForm, boundaryOf, type MultipartReader, readMultipart } from './multipart.ts'
import type {} from './parse-bodies.ts'
import type {} from './pressure.ts'

/** What a form may hold beside the file. */
const MAX_PARTS = 25
const MAX_FIELD_BYTES = 16 * 1024
const MAX_SKIPPED_BYTES = 1024 * 1024
const FORM_OVERHEAD_BYTES = 1024 * 1024
/** However slowly its bytes come: half a request is no claim to a place. */
const UPLOAD_MS = 60_000

interface ReadOptions {
  readonly takesJson?: boolean
  /** The body is JSON of this kind and nothing else. */
  readonly documentKind?: DocumentKind | undefined
  /** What an archive may have: it holds more than sources. Absent: no more than any other file. */
  readonly maxArchiveBytes?: number | undefined
  /** How many parts named `file` there may be. */
  readonly maxFiles?: number
}

/**
 * Reads a multipart request part by part. Of a file no more than the limit is ever kept, and the moment it is passed reading stops: the
 * refusal is answered at once and the connection closed, however much the client still means to send. Fields may come after the file.
 */
export async function readUpload(
  request: FastifyRequest,
  maxFileBytes: number,
  options: ReadOptions = {},
): Promise<Upload> {
  const leave = request.noteArriving?.()
  try {
    const upload = await readBody(request, maxFileBytes, options)
    request.noteArrival?.()
    return upload
  } finally {
    leave?.()
  }
}

async function readBody(
  request: FastifyRequest,
  maxFileBytes: number,
  { takesJson = false, documentKind, maxArchiveBytes = maxFileBytes, maxFiles = maxProjectFiles }: ReadOptions,
): Promise<Upload> {
  if (documentKind) {
    if (!isJson(request.uploadType)) throw refusalOf('notJson')
    return { ...nothing, document: await readDocument(request, maxFileBytes), documentKind }
  }
  if (takesJson && isJson(request.uploadType))
    return { ...nothing, document: await readDocument(request, maxFileBytes) }
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === undefined) return nothing
  const body = pullFrom(request.raw, {
    maxBytes: maxFileBytes + FORM_OVERHEAD_BYTES,
    tooLarge: () => refusalOf('fileTooLarge', maxFileBytes),
  })
  try {
    const onArchive = (): void => body.raiseTo(maxArchiveBytes + FORM_OVERHEAD_BYTES)
    return await readForm(readMultipart(body.pull, boundary), { maxFileBytes, maxArchiveBytes, maxFiles, onArchive })
  } catch (error) {
    // A form that cannot be read holds no file.
    if (error instanceof BrokenForm) return nothing
    throw error
  } finally {
    body.end()
  }
}

const nothing: Upload = { files: [], fields: [] }

const isJson = (type: string): boolean => /^application\/json\s*(;|$)/i.test(type)

/** Sources in JSON are longer than the sources: each line end and quote is two characters. */
const JSON_FACTOR = 2

/** Only its bytes: anyone who unpacks it parses it. */
async function readDocument(request: FastifyRequest, maxFileBytes: number): Promise<Buffer> {
  const tooLarge = () => refusalOf('fileTooLarge', maxFileBytes)
  const body = pullFrom(request.raw, { maxBytes: maxFileBytes * JSON_FACTOR + FORM_OVERHEAD_BYTES, tooLarge })
  const chunks: Buffer[] = []
  try {
    for (let chunk = await body.pull(); chunk; chunk = await body.pull()) chunks.push(chunk)
  } finally {
    body.end()
  }
  return Buffer.concat(chunks)
}

interface FormLimits {
  readonly maxFileBytes: number
  readonly maxArchiveBytes: number
  readonly maxFiles: number
  /** Called before an archive is read. */
  readonly onArchive: () => void
}

async function readForm(
  form: MultipartReader,
  { maxFileBytes, maxArchiveBytes, maxFiles, onArchive }: FormLimits,
): Promise<Upload> {
  const fields: [string, string][] = []
  const files: UploadedFile[] = []
  let left = maxFileBytes
  let parts = 0
  for (let head = await form.next(); head; head = await form.next()) {
    const isFile = head.fileName !== undefined && head.name === 'file'
    if (!isFile) parts += 1
    if (files.length > maxFiles)
      throw maxFiles === maxProjectFiles ? refusalOf('tooManyFiles', maxFiles) : refusalOf('batchTooLong', maxFiles)
    if (parts > MAX_PARTS) throw new BrokenForm('too many parts')
    if (head.fileName === undefined) {
      const { bytes, isTooLarge } = await form.body(MAX_FIELD_BYTES)
      if (isTooLarge) throw new BrokenForm('a field is too long')
      fields.push([head.name, bytes.toString()])
    } else if (isFile) {
      const isFirstArchive = files.length === 0 && isArchiveName(head.fileName)
      if (isFirstArchive) onArchive()
      const body = await form.body(isFirstArchive ? maxArchiveBytes : left)
      left -= body.bytes.length
      // A browser's form in which no file was chosen is empty and has no name.
      if (head.fileName !== '' || body.bytes.length > 0) files.push({ name: head.fileName, ...body })
      if (body.isTooLarge) return { files, fields }
    } else if ((await form.body(MAX_SKIPPED_BYTES)).isTooLarge) throw new BrokenForm('an unknown part is too large')
  }
  return { files, fields }
}

interface PullLimits {
  readonly maxBytes: number
  readonly tooLarge: () => Error
}

/** The body of a request, a piece at a time: what nobody asks for stays in the socket. */
function pullFrom(raw: IncomingMessage, { maxBytes, tooLarge }: PullLimits) {
  let most = maxBytes
  let received = 0
  let wake = (): void => {}
  let isLate = false
  let isGone = raw.destroyed
  const onReadable = (): void => wake()
  const onGone = (): void => {
    isGone = true
    wake()
  }
  raw.on('readable', onReadable).on('end', onReadable).on('error', onGone).on('close', onGone)
  const timer = setTimeout(() => {
    isLate = true
    wake()
  }, UPLOAD_MS)
  return {
    async pull(): Promise<Buffer | undefined> {
      for (;;) {
        if (isLate) throw refusalOf('requestTimeout')
        const chunk = raw.read() as Buffer | null
        if (chunk) {
          received += chunk.length
          if (received > most) throw tooLarge()
          return chunk
        }
        if (raw.readableEnded) return undefined
        if (isGone) throw refusalOf('badRequest')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    raiseTo(bytes: number): void {
      most = Math.max(most, bytes)
    },
    end(): void {
      clearTimeout(timer)
      raw.off('readable', onReadable).off('end', onReadable).off('close', onGone)
    },
  }
}
