/** Archives are opened in the browser, so that only what is scanned is sent, and limits hold for that. */
export interface ArchivedFile {
  path: string
  /** Read on request: an archive also has pictures and PDFs. */
  text: () => Promise<string>
}

const read = (bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat): Promise<ArrayBuffer> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).arrayBuffer()

const textOf = (bytes: BufferSource): string => new TextDecoder().decode(bytes)

/** The files of a .zip or .tar.gz, without the folder around everything; undefined for what a browser cannot open. */
export async function openArchive(file: Pick<File, 'name' | 'arrayBuffer'>): Promise<ArchivedFile[] | undefined> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const files = file.name.endsWith('.zip') ? openZip(bytes) : openTar(new Uint8Array(await read(bytes, 'gzip')))
    return withoutRoot(files)
  } catch {
    return undefined
  }
}

function openZip(bytes: Uint8Array<ArrayBuffer>): ArchivedFile[] {
  const view = new DataView(bytes.buffer)
  const u16 = (at: number) => view.getUint16(at, true)
  const u32 = (at: number) => view.getUint32(at, true)
  let end = bytes.length - 22
  while (end >= 0 && u32(end) !== 0x06054b50) end--
  if (end < 0) throw new Error('directory')
  const files: ArchivedFile[] = []
  let at = u32(end + 16)
  for (let left = u16(end + 10); left > 0; left--) {
    if (u32(at) !== 0x02014b50) throw new Error('entry')
    const [flags, method, size, nameLength] = [u16(at + 8), u16(at + 10), u32(at + 20), u16(at + 28)]
    const start = u32(at + 42)
    const path = textOf(bytes.subarray(at + 46, at + 46 + nameLength))
    at += 46 + nameLength + u16(at + 30) + u16(at + 32)
    if (path.endsWith('/')) continue
    if (flags & 1 || (method !== 0 && method !== 8)) throw new Error('packing')
    const from = start + 30 + u16(start + 26) + u16(start + 28)
    const packed = bytes.slice(from, from + size)
    files.push({ path, text: async () => textOf(method === 0 ? packed : await read(packed, 'deflate-raw')) })
  }
  return files
}

const BLOCK = 512

function openTar(bytes: Uint8Array<ArrayBuffer>): ArchivedFile[] {
  const files: ArchivedFile[] = []
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const field = (from: number, length: number) => textOf(bytes.subarray(at + from, at + from + length)).split('\0')[0]
    const size = Number.parseInt(field(124, 12) || '0', 8)
    const kind = field(156, 1)
    const content = bytes.slice(at + BLOCK, at + BLOCK + size)
    const prefix = field(345, 155)
    const path = longName ?? (prefix ? `${prefix}/${field(0, 100)}` : (field(0, 100) ?? ''))
    longName = undefined
    if (kind === 'L') longName = textOf(content).replace(/\0.*$/s, '')
    else if (kind === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)/.exec(textOf(content))?.[1]
    else if (kind === '0' || kind === '') files.push({ path, text: async () => textOf(content) })
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

function withoutRoot(files: readonly ArchivedFile[]): ArchivedFile[] {
  const own = files.filter(({ path }) => !/(^|\/)(\.|__MACOSX)/.test(path))
  const root = own[0]?.path.split('/')[0]
  const isShared = root !== undefined && own.every(({ path }) => path.startsWith(`${root}/`))
  return isShared ? own.map((file) => ({ ...file, path: file.path.slice(root.length + 1) })) : [...own]
}
