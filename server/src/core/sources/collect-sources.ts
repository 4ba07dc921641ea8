import { isUtf8 } from 'node:buffer'
import { type ArchiveEntry, BrokenArchive } from '../archives/archive-entry.ts'
import { readTarGz } from '../archives/read-tar.ts'
import { readZip } from '../archives/read-zip.ts'
import { refuse } from '../errors.ts'
import { findRepeatedName } from '../repeated-name.ts'
import { findPackages } from './find-packages.ts'
import { type Labels, labelsOfDocument, labelsOfForm, refuseUnknownFields } from './labels.ts'
import type { Origin } from './origin.ts'
import {
  cleanName,
  commonFolder,
  inferRemappings,
  libraryHomes,
  normalisePath,
  refuseReserved,
  sourcePath,
  tamePath,
} from './source-paths.ts'
import { checkSource, type Fetched, type Upload, type UploadedFile } from './upload.ts'

/** What is to be scanned, however it came. */
export interface Submission {
  /** As the client called it. */
  readonly name: string
  readonly sources: readonly SourceFile[]
  readonly remappings: readonly string[]
  /** Several files, or one that came as a project. */
  readonly isProject: boolean
  readonly sizeBytes: number
  /** Folders at the top that are packages under their own names. */
  readonly packages?: readonly string[] | undefined
  readonly labels: Labels
  /** Set when the service fetched it. */
  readonly origin?: Origin | undefined
}

/** Without what stands beside the sources. */
type Collected = Omit<Submission, 'labels' | 'origin'>

export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export const maxProjectFiles = 2000

/** Every import is compared with each of them. */
const MAX_REMAPPINGS = 2000

/** What an archive may have, as a multiple of what its sources may have: it holds documents, tests and pictures too. */
const ARCHIVE_FACTOR = 8
/** What a tar may unpack to, as a multiple of what it may have: what is in it cannot be skipped unread as in a zip. */
const TAR_FACTOR = 4

export const maxArchiveBytesOf = ({ maxFileBytes }: { readonly maxFileBytes: number }): number =>
  maxFileBytes * ARCHIVE_FACTOR

/** Whether it takes more than looking at bytes: archives are unpacked and documents parsed where nobody else waits. */
export const isPacked = ({ files, document }: Upload): boolean =>
  document !== undefined || (files.length === 1 && files.some(({ name }) => isArchiveName(name)))

/** Whether a file of this name is opened rather than read. */
export const isArchiveName = (name: string): boolean => isZip(name) || isTarGz(name)

const isZip = (name: string): boolean => /\.zip$/i.test(name)
const isTarGz = (name: string): boolean => /\.(tar\.gz|tgz)$/i.test(name)

/** Those of solc's standard input too. */
const documentFields = [
  ...['source', 'fileName', 'sources', 'remappings', 'name', 'project', 'ref', 'commit', 'allFiles'],
  ...['address', 'chain', 'repository', 'path', 'language', 'settings', 'auxiliaryInput', 'compilation'],
]

/** The sources of an upload in any of its forms, or the first reason why there are none. */
export function collectSources(upload: Upload, maxBytes: number): Submission {
  const { fetched } = upload
  if (upload.document === undefined) {
    const labels = fetched?.labels ?? labelsOfForm(upload)
    return { ...fromFiles(upload, maxBytes), labels, origin: fetched?.origin }
  }
  const document = parseDocument(upload.document)
  const labels = fetched?.labels ?? labelsOfDocument(document)
  const collected = fromDocument(document, maxBytes, fetched)
  if (!fetched) refuseUnknownFields(Object.keys(document), documentFields)
  return { ...collected, labels, origin: fetched?.origin }
}

function fromFiles(upload: Upload, maxBytes: number): Collected {
  const [file, ...others] = upload.files
  if (!file) return refuse('noFile')
  if (others.length > 0) return fromParts(upload, maxBytes)
  const { fetched } = upload
  const mostUnpacked = (fetched?.maxArchiveBytes ?? maxArchiveBytesOf({ maxFileBytes: maxBytes })) * TAR_FACTOR
  if (isZip(file.name)) return fromArchive(file, maxBytes, readZip)
  if (isTarGz(file.name)) return fromArchive(file, maxBytes, (bytes) => readTarGz(bytes, mostUnpacked), fetched)
  const { name, bytes } = checkSource(upload, maxBytes)
  refuseReserved(cleanName(name))
  return single(cleanName(name), bytes)
}

function parseDocument(bytes: Uint8Array): Record<string, unknown> {
  const document = parseJson(bytes)
  return isRecord(document) ? document : refuse('noFile')
}

/** Of two sources by one name a parser keeps one and says nothing. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return refuse('brokenJson')
  }
  const repeated = findRepeatedName(text)
  return repeated === undefined ? document : refuse('repeatedName', repeated.slice(0, 100))
}

const single = (name: string, bytes: Buffer): Collected => ({
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
function toProject(name: string, given: readonly Given[], mapped: Mapped, maxBytes: number): Collected {
  if (given.length > maxProjectFiles) refuse('tooManyFiles', maxProjectFiles)
  const seen = new Set<string>()
  let sizeBytes = 0
  for (const { path, bytes } of given) {
    if (seen.has(path)) refuse('pathRefused', path, 'it is there twice')
    seen.add(path)
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) refuse('sourcesTooLarge', maxBytes)
    if (bytes.includes(0) || !isUtf8(bytes)) refuse('sourceNotText', path)
  }
  if (given.length === 0) refuse('noSources')
  if (given.every(({ bytes }) => bytes.length === 0)) refuse('emptyFile')
  const paths = given.map(({ path }) => path)
  // What a project says itself goes before what is inferred, and that before what a library says for itself.
  const remappings = [...mapped.own, ...inferRemappings(paths), ...(mapped.ofLibraries ?? [])].slice(0, MAX_REMAPPINGS)
  return { name, sources: given, remappings, isProject: true, sizeBytes }
}

interface Mapped {
  readonly own: readonly string[]
  readonly ofLibraries?: readonly string[]
}

function fromParts({ files, fields }: Upload, maxBytes: number): Collected {
  if (files.some(({ isTooLarge }) => isTooLarge)) refuse('sourcesTooLarge', maxBytes)
  const given = files.map(({ name, bytes }) => ({ path: sourcePath(name), bytes }))
  const isRead = ({ path }: Given): boolean => isSource(path) || isRemappingFile(path)
  if (!given.every(isRead)) refuse('notSol')
  const name = cleanName(fields.find(([field]) => field === 'name')?.[1] ?? '') || 'project'
  return withoutRoot(name, given, maxBytes)
}

const isSource = (path: string): boolean => /\.sol$/i.test(path)
const isRemappingFile = (path: string): boolean => /(^|\/)remappings\.txt$/.test(path)
const isArchive = (path: string): boolean => /\.(zip|tar|tgz|gz|bz2|xz|7z|rar)$/i.test(path)

/** Takes off the folder around everything and reads what the project says of its imports. */
function withoutRoot(name: string, given: readonly Given[], maxBytes: number): Collected {
  const folder = commonFolder(given.map(({ path }) => path))
  const moved = folder ? given.map(({ path, bytes }) => ({ path: path.slice(folder.length + 1), bytes })) : given
  const own = moved
    .filter(({ path }) => path === 'remappings.txt')
    .flatMap(({ bytes }) => readRemappings(bytes.toString()))
  return toProject(
    name,
    moved.filter(({ path }) => isSource(path)),
    { own, ofLibraries: moved.filter(({ path }) => isRemappingFile(path)).flatMap(remappingsOfLibrary) },
    maxBytes,
  )
}

/** What a library maps for itself, seen from the project. */
function remappingsOfLibrary({ path, bytes }: Given): string[] {
  const home = path.slice(0, path.lastIndexOf('/') + 1)
  if (libraryHomes(home).at(-1) !== home) return []
  return readRemappings(bytes.toString()).map((line) => {
    const equals = line.indexOf('=')
    const prefix = line.slice(line.lastIndexOf(':', equals) + 1, equals)
    return `${prefix}=${home}${line.slice(equals + 1)}`
  })
}

const readRemappings = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^[^#=]+=/.test(line))

const MAX_REMAPPING_BYTES = 64 * 1024

function fromArchive(
  file: UploadedFile,
  maxBytes: number,
  read: (bytes: Buffer) => ArchiveEntry[],
  fetched?: Fetched,
): Collected {
  const maxArchiveBytes = fetched?.maxArchiveBytes ?? maxArchiveBytesOf({ maxFileBytes: maxBytes })
  if (file.isTooLarge || file.bytes.length > maxArchiveBytes) refuse('archiveTooLarge', maxArchiveBytes, maxBytes)
  if (file.bytes.length === 0) refuse('emptyFile')
  try {
    const entries = read(file.bytes)
    if (!fetched) return withoutRoot(cleanName(file.name), unpackSources(entries, maxBytes), maxBytes)
    const own = withinRepository(entries, fetched.within)
    return withoutRoot(fetched.name, unpackSources(own, maxBytes), maxBytes)
  } catch (error) {
    if (error instanceof BrokenArchive) return refuse('archiveUnreadable', error.message)
    throw error
  }
}

/** Of a repository's archive the sources of one folder or file, by their paths below the folder that the forge puts around everything. */
function withinRepository(entries: readonly ArchiveEntry[], within: string | undefined): ArchiveEntry[] {
  const own: ArchiveEntry[] = []
  for (const entry of entries) {
    const path = entry.path.slice(entry.path.indexOf('/') + 1)
    if (entry.kind !== 'file' || isArchive(path)) continue
    if (within === undefined) own.push({ ...entry, path })
    else if (path === within) own.push({ ...entry, path: path.slice(path.lastIndexOf('/') + 1) })
    else if (path.startsWith(`${within}/`)) own.push({ ...entry, path: path.slice(within.length + 1) })
  }
  return own
}

interface UnpackLimits {
  readonly maxBytes: number
  readonly maxFiles: number
  readonly tooMany: () => never
}

/** Each source of an archive by its path below the folder around everything, for anyone who takes them one by one. */
export function unpackArchive(file: UploadedFile, limits: UnpackLimits): Given[] {
  if (file.bytes.length === 0) refuse('emptyFile')
  try {
    const read = isZip(file.name) ? readZip : (bytes: Buffer) => readTarGz(bytes, limits.maxBytes * ARCHIVE_FACTOR)
    const given = unpackSources(read(file.bytes), limits.maxBytes, limits).filter(({ path }) => isSource(path))
    const folder = commonFolder(given.map(({ path }) => path))
    return folder ? given.map(({ path, bytes }) => ({ path: path.slice(folder.length + 1), bytes })) : given
  } catch (error) {
    if (error instanceof BrokenArchive) return refuse('archiveUnreadable', error.message)
    throw error
  }
}

const projectLimits = { maxFiles: maxProjectFiles, tooMany: () => refuse('tooManyFiles', maxProjectFiles) }

/** Every path is looked at, only sources are unpacked, and no more of them than may be scanned. */
function unpackSources(
  entries: readonly ArchiveEntry[],
  maxBytes: number,
  { maxFiles, tooMany }: Pick<UnpackLimits, 'maxFiles' | 'tooMany'> = projectLimits,
): Given[] {
  const given: Given[] = []
  const seen = new Set<string>()
  let left = maxBytes
  for (const entry of entries) {
    if (entry.kind === 'folder') continue
    const path = normalisePath(entry.path)
    if (!isSource(path) && !isRemappingFile(path)) continue
    refuseReserved(path)
    if (entry.kind === 'link') refuse('pathRefused', path, 'it is a link')
    if (seen.has(path)) refuse('pathRefused', path, 'it is there twice')
    seen.add(path)
    if (given.length >= maxFiles) tooMany()
    // A copy, so that a kept source does not hold its whole archive in memory.
    const bytes = Buffer.from(entry.read(isSource(path) ? left : MAX_REMAPPING_BYTES))
    if (isSource(path)) left -= bytes.length
    if (left < 0) refuse('sourcesTooLarge', maxBytes)
    given.push({ path, bytes })
  }
  return given
}

/** One source in JSON, several with remappings, or the standard input of solc as it is. */
function fromDocument(document: Record<string, unknown>, maxBytes: number, fetched?: Fetched): Collected {
  const { fileName, source, sources, settings, language, name } = document
  if (typeof source === 'string' && sources === undefined) {
    const file = { name: typeof fileName === 'string' ? fileName : 'contract.sol', bytes: Buffer.from(source) }
    const checked = checkSource({ files: [{ ...file, isTooLarge: false }], fields: [] }, maxBytes)
    return { ...single(cleanName(checked.name), checked.bytes), ...(fetched && { name: fetched.name }) }
  }
  if (!isRecord(sources)) return refuse('noFile')
  if (language !== undefined && language !== 'Solidity') refuse('invalid', 'language must be Solidity.')
  const given = Object.entries(sources).map(([path, entry]) => ({
    path: fetched ? tamePath(path) : sourcePath(path),
    bytes: contentOf(path, entry),
  }))
  const mapped = document.remappings ?? settingsOf(settings ?? document.compilation).remappings ?? []
  if (!Array.isArray(mapped) || !mapped.every((line) => typeof line === 'string' && line.length <= 500))
    return refuse('invalid', 'remappings must be an array of strings.')
  if (mapped.length > MAX_REMAPPINGS) refuse('invalid', `remappings must have at most ${MAX_REMAPPINGS} entries.`)
  const title = fetched?.name ?? (typeof name === 'string' ? cleanName(name) : '')
  const project = toProject(title || 'project', given, { own: mapped as string[] }, maxBytes)
  const isOfCompiler = fetched !== undefined || language !== undefined || settings !== undefined
  return isOfCompiler ? { ...project, packages: findPackages(given) } : project
}

/** As solc's standard input has them, or as Sourcify tells of a compilation. */
function settingsOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) return {}
  return isRecord(value.compilerSettings) ? value.compilerSettings : value
}

function contentOf(path: string, entry: unknown): Buffer {
  const content = isRecord(entry) ? entry.content : undefined
  if (typeof content !== 'string') return refuse('invalid', `sources.${path.slice(0, 100)}.content is required.`)
  return Buffer.from(content)
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
