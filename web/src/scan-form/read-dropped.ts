/** What a person drops or chooses: source files with their paths, or one archive that the service unpacks. */
import { readDropped as texts } from '../messages/scan-form.ts'

export type Chosen =
  | { kind: 'sources'; name: string; sources: { path: string; text: string }[] }
  | { kind: 'archive'; file: File }
  | { kind: 'nothing'; problem: string }

const isArchive = (name: string): boolean => /\.(zip|tar\.gz|tgz)$/.test(name)

interface Named {
  path: string
  file: File
  /** The folder that was chosen or dropped, where it was one. */
  folder?: string | undefined
}

/** One archive alone, or all the Solidity files there are; what is neither is left alone, and reported when nothing else is there. */
export async function readChosen(given: readonly Named[]): Promise<Chosen> {
  const archives = given.filter(({ file }) => isArchive(file.name))
  const [first] = archives
  if (first && given.length === 1) return { kind: 'archive', file: first.file }
  const solidity = given.filter(({ path }) => path.endsWith('.sol'))
  if (solidity.length === 0) {
    const what = given.length === 1 ? texts.unsupportedFileTypeUpload : texts.noSolidityFilesFound
    return { kind: 'nothing', problem: archives.length > 1 ? texts.uploadOneArchiveTime : what }
  }
  const sources = await Promise.all(solidity.map(async ({ path, file }) => ({ path, text: await file.text() })))
  return {
    kind: 'sources',
    name: given[0]?.folder ?? 'project',
    sources: sources.sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

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
