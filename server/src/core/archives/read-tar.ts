import { gunzipSync } from 'node:zlib'
import { type ArchiveEntry, BrokenArchive, maxArchiveEntries } from './archive-entry.ts'

const BLOCK = 512

/** The members of a gzipped tar (ustar, pax and GNU long names), in memory; no more than `maxBytes` are ever unpacked. */
export function readTarGz(bytes: Buffer, maxBytes: number): ArchiveEntry[] {
  return readTar(gunzip(bytes, maxBytes))
}

function gunzip(bytes: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new BrokenArchive(isTooLarge ? `it unpacks to more than ${maxBytes} bytes` : 'it is not gzip, or damaged')
  }
}

export function readTar(tar: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  let longPath: string | undefined
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const head = tar.subarray(at, at + BLOCK)
    if (head.every((byte) => byte === 0)) break
    if (!hasChecksum(head)) throw new BrokenArchive('it is not a tar file, or damaged')
    const size = sizeOf(head)
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (body.length < size) throw new BrokenArchive('its end is missing')
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(head[156] ?? 0)
    if (type === 'L') longPath = textOf(body)
    else if (type === 'x') longPath = paxPath(body) ?? longPath
    else if (type !== 'g') {
      if (entries.length >= maxArchiveEntries) throw new BrokenArchive(`it has more than ${maxArchiveEntries} entries`)
      entries.push(toEntry(longPath ?? nameOf(head), type, body))
      longPath = undefined
    }
  }
  return entries
}

function toEntry(path: string, type: string, body: Buffer): ArchiveEntry {
  const kind = type === '5' ? 'folder' : type === '0' || type === '\0' || type === '7' ? 'file' : 'link'
  return { path, kind, read: (maxBytes) => body.subarray(0, maxBytes + 1) }
}

const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString()
}

function nameOf(head: Buffer): string {
  const name = textOf(head.subarray(0, 100))
  const isUstar = head.subarray(257, 262).toString() === 'ustar'
  const prefix = isUstar ? textOf(head.subarray(345, 500)) : ''
  return prefix ? `${prefix}/${name}` : name
}

function sizeOf(head: Buffer): number {
  const size = Number.parseInt(textOf(head.subarray(124, 136)).trim() || '0', 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive('it is damaged')
  return size
}

/** The sum of the head's bytes, its own field taken as spaces. */
function hasChecksum(head: Buffer): boolean {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += head[at] ?? 0
  return sum === Number.parseInt(textOf(head.subarray(148, 156)).trim(), 8)
}

/** Records of `<length> <key>=<value>\n`. */
function paxPath(body: Buffer): string | undefined {
  let path: string | undefined
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at)
    const length = Number(body.subarray(at, space).toString())
    if (space < 0 || !Number.isSafeInteger(length) || length <= 0) return path
    const record = body.subarray(space + 1, at + length - 1).toString()
    if (record.startsWith('path=')) path = record.slice(5)
    at += length
  }
  return path
}
