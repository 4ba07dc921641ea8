import { inflateRawSync } from 'node:zlib'
import { type ArchiveEntry, BrokenArchive, maxArchiveEntries } from './archive-entry.ts'

/**
 * The members of a zip file by its central directory (APPNOTE 6.3), in memory. Sizes that the archive claims are never believed: unpacking
 * stops by itself at what the caller allows, so neither a bomb nor overlapping members cost more than that.
 */
export function readZip(bytes: Buffer): ArchiveEntry[] {
  const end = findEnd(bytes)
  const total = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (total === 0xffff || at === 0xffffffff) throw new BrokenArchive('zip64 is not supported')
  if (total > maxArchiveEntries) throw new BrokenArchive(`it has more than ${maxArchiveEntries} entries`)
  const entries: ArchiveEntry[] = []
  for (let index = 0; index < total; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50)
      throw new BrokenArchive('its directory is damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    entries.push(toEntry(bytes, at, bytes.subarray(at + 46, at + 46 + nameLength).toString()))
    at += 46 + nameLength + extraLength + commentLength
  }
  return entries
}

/** The end record stands last, but for a comment of at most 64 KB. */
function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - 22 - 0xffff)
  for (let at = bytes.length - 22; at >= earliest; at--) if (bytes.readUInt32LE(at) === 0x06054b50) return at
  throw new BrokenArchive('it is not a zip file, or its end is missing')
}

const UNIX_LINK = 0o120000
const UNIX_KIND = 0o170000

function toEntry(bytes: Buffer, at: number, path: string): ArchiveEntry {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const packedBytes = bytes.readUInt32LE(at + 20)
  const unixMode = bytes.readUInt32LE(at + 38) >>> 16
  const localAt = bytes.readUInt32LE(at + 42)
  const isLink = (unixMode & UNIX_KIND) === UNIX_LINK
  return {
    path,
    kind: isLink ? 'link' : path.endsWith('/') ? 'folder' : 'file',
    read(maxBytes) {
      if (flags & 1) throw new BrokenArchive('it is encrypted')
      if (localAt + 30 > bytes.length || bytes.readUInt32LE(localAt) !== 0x04034b50)
        throw new BrokenArchive('an entry is damaged')
      const from = localAt + 30 + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28)
      return unpack(method, bytes.subarray(from, from + packedBytes), maxBytes)
    },
  }
}

function unpack(method: number, packed: Buffer, maxBytes: number): Buffer {
  if (method === 0) return packed.subarray(0, maxBytes + 1)
  if (method !== 8) throw new BrokenArchive(`compression method ${method} is not supported`)
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes + 1 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return Buffer.alloc(maxBytes + 1)
    throw new BrokenArchive('an entry is damaged')
  }
}
