import { closeSync, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Io } from '../io.ts'
import { readSource as texts } from '../messages/input.ts'
import { reasonOf } from './reason-of.ts'

/** Larger than any plan of the service accepts; past it a file is refused instead of exhausting the memory. */
export const maxSourceBytes = 20 * 1024 * 1024

export type Source = Readable | { readonly path: string; readonly error: string }
export interface Readable {
  readonly path: string
  readonly text: string
}

export const isReadable = (source: Source): source is Readable => 'text' in source

/** A source with its place on the disk; that of standard input is a name in the working folder. */
export interface FoundSource extends Readable {
  readonly location: string
}

interface Named {
  readonly path: string
  readonly location?: string
}

export async function readSources(
  found: readonly Named[],
  io: Io,
  unsaved?: ReadonlyMap<string, string>,
): Promise<Source[]> {
  const sources: Source[] = []
  for (const file of found) sources.push(await readSource(file, io, unsaved))
  return sources
}

export async function readSource(found: Named, io: Io, unsaved?: ReadonlyMap<string, string>): Promise<Source> {
  const { path, location } = found
  const text = unsaved?.get(location ?? '')
  if (text !== undefined) return { path, text }
  try {
    const bytes = location === undefined ? await io.readStdin() : await readFile(location)
    return decode(path, bytes)
  } catch (error) {
    return { path, error: texts.fileCouldNotRead(reasonOf(error as NodeJS.ErrnoException)) }
  }
}

/** Small files one after the other: what the other way of Node costs for each is more than reading it. */
async function readFile(location: string): Promise<Uint8Array> {
  const file = openSync(location, 'r')
  try {
    const info = fstatSync(file)
    // A pipe has no size and a device no end.
    if (!info.isFile())
      return await readUpTo(maxSourceBytes + 1, createReadStream(location, { fd: file, autoClose: false }))
    return info.size > maxSourceBytes ? new Uint8Array(maxSourceBytes + 1) : readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Reads a stream to its end, or to the first byte past the limit. */
export async function readUpTo(limit: number, stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= limit) break
  }
  return Buffer.concat(chunks)
}

function decode(path: string, bytes: Uint8Array): Source {
  if (bytes.length > maxSourceBytes) return { path, error: texts.fileLargerThanBytes(maxSourceBytes) }
  const text = decodeUtf8(bytes)
  if (text === undefined || text.includes('\0')) return { path, error: texts.fileNotUtfText }
  if (text.trim() === '') return { path, error: texts.fileEmpty }
  return { path, text }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
