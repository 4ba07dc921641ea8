/** What a person drops or chooses: source files with their paths, or an archive that only the service can unpack. */
import { readDropped as texts } from '../messages/scan-form.ts'
import { openArchive } from './open-archive.ts'

export type Chosen =
  | {
      kind: 'sources'
      name: string
      sources: { path: string; text: string }[]
      /** The tool whose settings are among the files. */
      tool?: 'Foundry' | 'Hardhat' | undefined
    }
  | { kind: 'archive'; file: File }
  | { kind: 'nothing'; problem: string }

const isArchive = (name: string): boolean => /\.(zip|tar\.gz|tgz)$/.test(name)

interface Named {
  path: string
  file: File
  /** The folder that was chosen or dropped, where it was one. */
  folder?: string | undefined
}

const isRead = ({ path }: { path: string }): boolean => /\.sol$|(^|\/)remappings\.txt$/.test(path)

/** One archive alone, or all the Solidity files there are; what is neither is left alone, and reported when nothing else is there. */
export async function readChosen(given: readonly Named[]): Promise<Chosen> {
  const archives = given.filter(({ file }) => isArchive(file.name))
  const [first] = archives
  if (first && given.length === 1) return readArchive(first.file)
  const readable = given.filter(isRead)
  if (!readable.some(({ path }) => path.endsWith('.sol'))) {
    const what = given.length === 1 ? texts.unsupportedFileTypeUpload : texts.noSolidityFilesFound
    return { kind: 'nothing', problem: archives.length > 1 ? texts.uploadOneArchiveTime : what }
  }
  const sources = await Promise.all(readable.map(async ({ path, file }) => ({ path, text: await file.text() })))
  return toSources(given[0]?.folder ?? 'project', sources, given)
}

async function readArchive(file: File): Promise<Chosen> {
  const files = await openArchive(file)
  if (!files) return { kind: 'archive', file }
  if (!files.some(({ path }) => path.endsWith('.sol'))) return { kind: 'nothing', problem: texts.noSolidityFilesFound }
  const sources = await Promise.all(files.filter(isRead).map(async ({ path, text }) => ({ path, text: await text() })))
  return toSources(file.name.replace(/\.(zip|tar\.gz|tgz)$/, ''), sources, files)
}

function toSources(
  name: string,
  sources: { path: string; text: string }[],
  all: readonly { path: string }[],
): Extract<Chosen, { kind: 'sources' }> {
  const tool = toolOf(all.map(({ path }) => path))
  return { kind: 'sources', name, sources: sources.sort((a, b) => (a.path < b.path ? -1 : 1)), ...(tool && { tool }) }
}

const toolOf = (paths: readonly string[]): 'Foundry' | 'Hardhat' | undefined =>
  paths.includes('foundry.toml')
    ? 'Foundry'
    : paths.some((path) => /^hardhat\.config\.[cm]?[jt]s$/.test(path))
      ? 'Hardhat'
      : undefined

/** Files as an `<input>` gives them: a chosen folder keeps its paths, without the folder's own name. */
export const namedFiles = (files: Iterable<File>): Named[] =>
  [...files].map((file) => {
    const [folder, ...within] = file.webkitRelativePath.split('/')
    return { file, path: within.join('/') || file.name, folder: folder || undefined }
  })

/** Everything under what was dropped: a browser hands folders out one level at a time. */
export async function droppedFiles(items: Iterable<DataTransferItem>): Promise<Named[]> {
  const given = [...items].filter(({ kind }) => kind === 'file')
  const entries = given.flatMap((item) => item.webkitGetAsEntry() ?? [])
  // From another page or program a file may come without its place on the disk.
  const loose = given.flatMap((item) => (item.webkitGetAsEntry() ? [] : (item.getAsFile() ?? [])))
  const found = await Promise.all(entries.map((entry) => filesUnder(entry, '')))
  const all = [...found.flat(), ...loose.map((file) => ({ file, path: file.name }))]
  // One dropped folder is the project itself: its name is no part of the paths.
  const [first] = entries
  if (entries.length !== 1 || !first?.isDirectory) return all
  return all.map(({ file, path }) => ({ file, path: path.split('/').slice(1).join('/'), folder: first.name }))
}

/** More are no project that a page can hold; the service refuses them too. */
const mostFiles = 2000

async function filesUnder(entry: FileSystemEntry, prefix: string): Promise<Named[]> {
  const path = prefix + entry.name
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path }]
  }
  const found: Named[] = []
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0 || found.length > mostFiles) return found
    for (const child of part) found.push(...(await filesUnder(child, `${path}/`)))
  }
}
