import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Complaint } from '../io.ts'

export interface Found {
  /** As printed: relative to the working folder, with forward slashes. */
  readonly path: string
  /** Where to read it; undefined for standard input. */
  readonly location?: string
}

export interface Collecting {
  readonly folder: string
  /** Go into folders that hold other people's code, too. */
  readonly withDependencies: boolean
}

export interface Collection {
  readonly files: readonly Found[]
  /** Folders that were left out on the way, as printed. */
  readonly leftOut: readonly string[]
}

/** Other people's code and what tools make of one's own; beside a project file only, because `contracts/lib` is the author's. */
const projectFolders = ['lib', 'out', 'artifacts', 'cache', 'dist']
const projectFiles =
  /^(foundry\.toml|remappings\.txt|hardhat\.config\.[cm]?[jt]s|truffle(-config)?\.js|package\.json|\.gitmodules)$/

/** The Solidity files that the given words name: files as they are, folders recursively, `-` for standard input. */
export async function collectFiles(words: readonly string[], collecting: Collecting): Promise<Collection> {
  const found = new Map<string, Found>()
  const leftOut: string[] = []
  for (const word of words) {
    for (const item of await collect(word, collecting, leftOut)) {
      if (!found.has(item.location ?? '-')) found.set(item.location ?? '-', item)
    }
  }
  return { files: [...found.values()], leftOut }
}

async function collect(word: string, collecting: Collecting, leftOut: string[]): Promise<Found[]> {
  if (word === '-') return [{ path: '<stdin>' }]
  const location = resolve(collecting.folder, word)
  const info = await stat(location).catch((error: NodeJS.ErrnoException) => {
    throw new Complaint(error.code === 'ENOENT' ? `${word}: no such file or folder.` : `${word}: ${reasonOf(error)}.`)
  })
  if (!info.isDirectory()) return [foundAt(location, collecting)]
  const files = await walk(location, collecting, leftOut)
  if (files.length === 0) throw new Complaint(`${word}: no .sol files in this folder.`)
  return files.map((file) => foundAt(file, collecting))
}

async function walk(folder: string, collecting: Collecting, leftOut: string[]): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Complaint(`${folder}: ${reasonOf(error)}.`)
  })
  const isProject = entries.some(({ name }) => projectFiles.test(name))
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name.startsWith('.')) continue
      const isForeign = entry.name === 'node_modules' || (isProject && projectFolders.includes(entry.name))
      if (isForeign && !collecting.withDependencies) leftOut.push(foundAt(path, collecting).path)
      else files.push(...(await walk(path, collecting, leftOut)))
    } else if (entry.name.endsWith('.sol') && (entry.isFile() || (await isFile(path)))) files.push(path)
  }
  return files
}

/** A link to a file is followed; one to a folder is not, because it may lead in circles. */
const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() ?? false

function foundAt(location: string, { folder }: Collecting): Found {
  const path = relative(folder, location)
  const shown = path === '' || path.startsWith('..') || isAbsolute(path) ? location : path
  return { path: shown.split(sep).join('/'), location }
}

/** The system's reason in words. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is no folder',
    ENOENT: 'no such file',
    EMFILE: 'too many open files',
    ENOSPC: 'no space left',
    EROFS: 'the file system is read-only',
  }
  return reasons[error.code ?? ''] ?? error.message
}
