import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal, refusalOf } from '../core/errors.ts'
import type { Upload, UploadedFile } from '../services/upload.ts'

/** What a form may hold beside the file. */
const FORM_LIMITS = { fields: 20, fieldNameSize: 100, fieldSize: 16 * 1024, files: 5, parts: 25, headerPairs: 50 }
const FORM_OVERHEAD_BYTES = 1024 * 1024

/**
 * Reads a multipart request part by part. Of a file no more than the limit is ever kept, and the moment it is passed reading stops: the
 * refusal is answered at once and the connection closed, however much the client still means to send. Fields may come after the file.
 */
export async function readUpload(request: FastifyRequest, maxFileBytes: number): Promise<Upload> {
  if (!request.isMultipart()) return { file: undefined, fields: [] }
  const stop = stopAfter(request, maxFileBytes + FORM_OVERHEAD_BYTES)
  const fields: [string, string][] = []
  let file: UploadedFile | undefined
  try {
    // The library's own refusal would come after the rest of the file was read.
    const options = { limits: { ...FORM_LIMITS, fileSize: maxFileBytes }, throwFileSizeLimit: false }
    for await (const part of request.parts(options)) {
      if (part.type === 'field') fields.push([part.fieldname, textOf(part.value)])
      else if (part.fieldname === 'file' && !file) {
        file = await readFile(part, maxFileBytes)
        // A browser's form in which no file was chosen.
        if (!part.filename && file.bytes.length === 0) file = undefined
        if (file?.isTooLarge) {
          stop.now()
          return { file, fields }
        }
      } else await skip(part)
    }
  } catch (error) {
    stop.now()
    if (stop.isPassed) throw refusalOf('fileTooLarge', maxFileBytes)
    if (error instanceof Refusal) throw error
    // A form that cannot be read holds no file.
    return { file, fields }
  }
  return { file, fields }
}

async function readFile(part: MultipartFile, maxBytes: number): Promise<UploadedFile> {
  const chunks: Buffer[] = []
  let size = 0
  let isTooLarge = false
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    isTooLarge = size > maxBytes || part.file.truncated
    if (isTooLarge) break
  }
  isTooLarge ||= part.file.truncated
  return { name: baseName(part.filename ?? ''), bytes: Buffer.concat(chunks).subarray(0, maxBytes + 1), isTooLarge }
}

async function skip(part: MultipartFile): Promise<void> {
  for await (const chunk of part.file) void chunk
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

const MAX_NAME_LENGTH = 200

/** Clients may send whole paths; control characters would let a name lie about itself in a listing. */
const baseName = (name: string): string =>
  (name.split(/[\\/]/).pop() ?? '')
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .slice(-MAX_NAME_LENGTH)

/** Stops reading from the socket when more has come than any acceptable form can hold. */
function stopAfter({ raw }: FastifyRequest, maxBytes: number) {
  let received = 0
  let isPassed = false
  const now = (): void => {
    raw.off('data', count)
    raw.unpipe()
    raw.pause()
  }
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= maxBytes) return
    isPassed = true
    now()
    raw.emit('error', new Error('The form is too large.'))
  }
  raw.on('data', count)
  return {
    now,
    get isPassed() {
      return isPassed
    },
  }
}
