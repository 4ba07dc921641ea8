/**
 * Multipart forms (RFC 7578), read piece by piece on demand. Nothing is looked at twice and nothing is kept beyond what a part
 * may hold, so that no form, however broken, costs more than its bytes or goes without an answer.
 */
export interface PartHead {
  readonly name: string
  /** Undefined: a text field. */
  readonly fileName: string | undefined
}

export interface PartBody {
  /** One byte more than requested at most. */
  readonly bytes: Buffer
  readonly isTooLarge: boolean
}

export interface MultipartReader {
  /** The head of the next part, past what is left of the one before; undefined after the closing boundary. */
  next(): Promise<PartHead | undefined>
  /** What this part holds; stops reading at the first byte too many. */
  body(maxBytes: number): Promise<PartBody>
}

/** What came is no form. */
export class BrokenForm extends Error {}

const MAX_HEAD_BYTES = 8 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')

/** `boundary` of a `multipart/form-data` content type; undefined when it is none or has none. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";,]{1,70}))\s*(?:;|$)/i.exec(
    contentType ?? '',
  )
  return match?.[1] ?? match?.[2]
}

/** `pull` gives the next bytes, or undefined at the end. */
export function readMultipart(pull: () => Promise<Buffer | undefined>, boundary: string): MultipartReader {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first boundary may stand at the very beginning, where no line ends before it.
  let pending: Buffer = Buffer.from('\r\n')
  let isInPart = true

  const more = async (): Promise<void> => {
    const chunk = await pull()
    if (!chunk) throw new BrokenForm('the form ends too early')
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
  }

  /** Hands on what stands before the next boundary; ends early when the reader has enough. */
  const toBoundary = async (take: (bytes: Buffer) => boolean): Promise<void> => {
    for (;;) {
      const at = pending.indexOf(delimiter)
      const safe = at < 0 ? Math.max(0, pending.length - delimiter.length + 1) : at
      const isEnough = take(pending.subarray(0, safe))
      if (isEnough) return
      if (at >= 0) {
        pending = pending.subarray(at + delimiter.length)
        isInPart = false
        return
      }
      pending = pending.subarray(safe)
      await more()
    }
  }

  const head = async (): Promise<string> => {
    for (;;) {
      const end = pending.indexOf(HEAD_END)
      if (end >= 0 && end <= MAX_HEAD_BYTES) {
        const text = pending.subarray(0, end).toString()
        pending = pending.subarray(end + HEAD_END.length)
        return text
      }
      if (pending.length > MAX_HEAD_BYTES) throw new BrokenForm('a part has no head')
      await more()
    }
  }

  return {
    async next() {
      if (isInPart) await toBoundary(() => false)
      while (pending.length < 2) await more()
      if (pending[0] === 0x2d && pending[1] === 0x2d) return undefined
      isInPart = true
      return readHead(await head())
    },
    async body(maxBytes) {
      const chunks: Buffer[] = []
      let size = 0
      await toBoundary((bytes) => {
        if (bytes.length > 0) chunks.push(bytes)
        size += bytes.length
        return size > maxBytes
      })
      const isTooLarge = size > maxBytes
      return { bytes: Buffer.concat(chunks, Math.min(size, maxBytes + 1)), isTooLarge }
    },
  }
}

/** Padding after the boundary, then lines of `Name: value`. */
function readHead(text: string): PartHead {
  const [padding = '', ...lines] = text.split('\r\n')
  if (padding.trim() !== '') throw new BrokenForm('a boundary does not end its line')
  const disposition = headerOf(lines, 'content-disposition')
  const name = parameterOf(disposition, 'name')
  if (name === undefined) throw new BrokenForm('a part has no name')
  const isBytes = /^application\/octet-stream\b/i.test(headerOf(lines, 'content-type'))
  const fileName = extendedNameOf(disposition) ?? parameterOf(disposition, 'filename') ?? (isBytes ? '' : undefined)
  return { name, fileName }
}

const headerOf = (lines: readonly string[], name: string): string =>
  lines
    .find((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`)
    ?.slice(name.length + 1)
    .trim() ?? ''

/** Browsers escape a quote as `%22`, others as `\"`; any other backslash is a character of a path. */
function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;"]*))`, 'i').exec(header)
  return match?.[1]?.replaceAll('\\"', '"') ?? match?.[2]
}

/** RFC 5987, which some clients use for names beyond ASCII. */
function extendedNameOf(header: string): string | undefined {
  const encoded = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(header)?.[1]
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
