import { isUtf8 } from 'node:buffer'
import { type ArchiveEntry, BrokenArchive } from '../core/archives/archive-entry.ts'
import { readTarGz } from '../core/archives/read-tar.ts'
import { readZip } from '../core/archives/read-zip.ts'
import { refuse } from '../core/errors.ts'
import { cleanName, commonFolder, inferRemappings, normalisePath } from './source-paths.ts'
import { checkSource, type Upload, type UploadedFile } from './upload.ts'

/** What is to be scanned, however it came. */
export interface Submission {
  /** As the client called it. */
  readonly name: string
  readonly sources: readonly SourceFile[]
  readonly remappings: readonly string[]
  /** Several files, or one that came as a project. */
  readonly isProject: boolean
  readonly sizeBytes: number
}

export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export const maxProjectFiles = 2000

/** What else a tar may hold beside its sources, as a multiple of the plan's size: it cannot be skipped unread as in a zip. */
const TAR_FACTOR = 8

/** The sources of an upload in any of its forms, or the first reason why there are none. */
export function collectSources(upload: Upload, maxBytes: number): Submission {
  if (upload.document !== undefined) return fromDocument(upload.document, maxBytes)
  const [file, ...others] = upload.files
  if (!file) return refuse('noFile')
  if (others.length > 0) return fromParts(upload, maxBytes)
  if (/\.zip$/i.test(file.name)) return fromArchive(file, maxBytes, (bytes) => readZip(bytes))
  if (/\.(tar\.gz|tgz)$/i.test(file.name))
    return fromArchive(file, maxBytes, (bytes) => readTarGz(bytes, maxBytes * TAR_FACTOR))
  const { name, bytes } = checkSource(upload, maxBytes)
  return single(cleanName(name), bytes)
}

const single = (name: string, bytes: Buffer): Submission => ({
  name,
  sources: [{ path: name, bytes }],
  remappings: [],
  isProject: false,
  sizeBytes: bytes.length,
})

interface Given {
  readonly path: string
  readonly bytes: Buffer
}

/** Every path once, every source text, all of them together within the plan's size. */
function toProject(name: string, given: readonly Given[], remappings: readonly string[], maxBytes: number): Submission {
  if (given.length > maxProjectFiles) refuse('tooManyFiles', maxProjectFiles)
  const seen = new Set<string>()
  let sizeBytes = 0
  for (const { path, bytes } of given) {
    if (seen.has(path)) refuse('pathRefused', path, 'it is there twice')
    seen.add(path)
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) refuse('fileTooLarge', maxBytes)
    if (bytes.includes(0) || !isUtf8(bytes)) refuse('sourceNotText', path)
  }
  if (given.length === 0) refuse('noSources')
  if (given.every(({ bytes }) => bytes.length === 0)) refuse('emptyFile')
  const paths = given.map(({ path }) => path)
  // What a project says itself goes before what is inferred.
  return { name, sources: given, remappings: [...remappings, ...inferRemappings(paths)], isProject: true, sizeBytes }
}

function fromParts({ files, fields }: Upload, maxBytes: number): Submission {
  if (files.some(({ isTooLarge }) => isTooLarge)) refuse('fileTooLarge', maxBytes)
  const given = files.map(({ name, bytes }) => ({ path: normalisePath(name), bytes }))
  const isRead = ({ path }: Given): boolean => isSource(path) || isRemappingFile(path)
  if (!given.every(isRead)) refuse('notSol')
  const name = cleanName(fields.find(([field]) => field === 'name')?.[1] ?? '') || 'project'
  return withoutRoot(name, given, maxBytes)
}

const isSource = (path: string): boolean => /\.sol$/i.test(path)
const isRemappingFile = (path: string): boolean => /(^|\/)remappings\.txt$/.test(path)
const isArchive = (path: string): boolean => /\.(zip|tar|tgz|gz|bz2|xz|7z|rar)$/i.test(path)

/** Takes off the folder around everything and reads what the project says of its imports. */
function withoutRoot(name: string, given: readonly Given[], maxBytes: number): Submission {
  const folder = commonFolder(given.map(({ path }) => path))
  const moved = folder ? given.map(({ path, bytes }) => ({ path: path.slice(folder.length + 1), bytes })) : given
  const remappings = moved
    .filter(({ path }) => path === 'remappings.txt')
    .flatMap(({ bytes }) => readRemappings(bytes.toString()))
  return toProject(
    name,
    moved.filter(({ path }) => isSource(path)),
    remappings,
    maxBytes,
  )
}

const readRemappings = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^[^#=]+=/.test(line))

const MAX_REMAPPING_BYTES = 64 * 1024

function fromArchive(file: UploadedFile, maxBytes: number, read: (bytes: Buffer) => ArchiveEntry[]): Submission {
  if (file.isTooLarge || file.bytes.length > maxBytes) refuse('fileTooLarge', maxBytes)
  if (file.bytes.length === 0) refuse('emptyFile')
  try {
    return withoutRoot(cleanName(file.name), unpackSources(read(file.bytes), maxBytes), maxBytes)
  } catch (error) {
    if (error instanceof BrokenArchive) return refuse('archiveUnreadable', error.message)
    throw error
  }
}

/** Every path is looked at, only sources are unpacked, and no more of them than may be scanned. */
function unpackSources(entries: readonly ArchiveEntry[], maxBytes: number): Given[] {
  const given: Given[] = []
  const seen = new Set<string>()
  let left = maxBytes
  for (const entry of entries) {
    if (entry.kind === 'folder') continue
    const path = normalisePath(entry.path)
    if (entry.kind === 'link') refuse('pathRefused', path, 'it is a link')
    if (isArchive(path)) refuse('pathRefused', path, 'archives inside an archive are not read')
    if (!isSource(path) && !isRemappingFile(path)) continue
    if (seen.has(path)) refuse('pathRefused', path, 'it is there twice')
    seen.add(path)
    if (given.length >= maxProjectFiles) refuse('tooManyFiles', maxProjectFiles)
    const bytes = entry.read(isSource(path) ? left : MAX_REMAPPING_BYTES)
    if (isSource(path)) left -= bytes.length
    if (left < 0) refuse('fileTooLarge', maxBytes)
    given.push({ path, bytes })
  }
  return given
}

/** One source in JSON, several with remappings, or the standard input of solc as it is. */
function fromDocument(document: unknown, maxBytes: number): Submission {
  if (!isRecord(document)) return refuse('noFile')
  const { fileName, source, sources, settings, language, name } = document
  if (typeof source === 'string' && sources === undefined) {
    const file = { name: typeof fileName === 'string' ? fileName : 'contract.sol', bytes: Buffer.from(source) }
    const checked = checkSource({ files: [{ ...file, isTooLarge: false }], fields: [] }, maxBytes)
    return single(cleanName(checked.name), checked.bytes)
  }
  if (!isRecord(sources)) return refuse('noFile')
  if (language !== undefined && language !== 'Solidity') refuse('invalid', 'language must be Solidity.')
  const given = Object.entries(sources).map(([path, entry]) => ({
    path: normalisePath(path),
    bytes: contentOf(path, entry),
  }))
  const mapped = document.remappings ?? (isRecord(settings) ? settings.remappings : undefined) ?? []
  if (!Array.isArray(mapped) || !mapped.every((line) => typeof line === 'string' && line.length <= 500))
    return refuse('invalid', 'remappings must be an array of strings.')
  const title = typeof name === 'string' ? cleanName(name) : ''
  return toProject(title || 'project', given, mapped as string[], maxBytes)
}

function contentOf(path: string, entry: unknown): Buffer {
  const content = isRecord(entry) ? entry.content : undefined
  if (typeof content !== 'string') return refuse('invalid', `sources.${path.slice(0, 100)}.content is required.`)
  return Buffer.from(content)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
