import { type Dirent, readdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { collectFiles as texts } from '../messages/input.ts'
import type { Boundary } from '../project/boundary.ts'
import type { FindProject } from '../project/find-project.ts'
import { BrokenConfig, type Project } from '../project/project.ts'
import { isBelow, isInScope, type LeftOut, type Role, roleOf, type Scope } from '../project/scope.ts'
import { reasonOf } from './reason-of.ts'

export interface Found {
  /** As printed: relative to the working folder, with forward slashes. */
  readonly path: string
  /** Where to read it; undefined for standard input. */
  readonly location?: string
  readonly project: Project
}

export interface Unreadable {
  readonly path: string
  readonly error: string
}

export interface Collecting {
  readonly folder: string
  readonly scope: Scope
  /** Globs over paths from the project's root; none: everything. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly findProject: FindProject
  readonly boundary: Boundary
  /** Texts by location that count as files, also where the disk has none. */
  readonly unsaved?: ReadonlyMap<string, string>
}

export interface Collection {
  readonly files: readonly Found[]
  /** What was requested and cannot be read: a missing file, a folder that may not be entered. */
  readonly unreadable: readonly Unreadable[]
  /** How many files of each kind were left out; for dependencies, whole folders. */
  readonly leftOut: LeftOut
}

interface Walk extends Collecting {
  readonly word: string
  readonly found: Map<string, Found>
  readonly unreadable: Unreadable[]
  readonly leftOut: Map<Role | 'excluded', number>
  readonly isExcluded: (path: string) => boolean
  readonly isIncluded: (path: string) => boolean
}

/** The Solidity files that the given words name: files as they are, folders recursively, `-` for standard input. */
export async function collectFiles(words: readonly string[], collecting: Collecting): Promise<Collection> {
  const gathered = {
    found: new Map<string, Found>(),
    unreadable: [] as Unreadable[],
    leftOut: new Map<Role | 'excluded', number>(),
    isExcluded: await matcher(collecting.exclude, false),
    isIncluded: await matcher(collecting.include, true),
  }
  for (const word of words) collect(word, { ...collecting, ...gathered, word: resolve(collecting.folder, word) })
  return { files: [...gathered.found.values()], unreadable: gathered.unreadable, leftOut: gathered.leftOut }
}

/** A glob without a slash means a name at any depth; one that names a folder means all in it. */
async function matcher(globs: readonly string[], whenNone: boolean): Promise<(path: string) => boolean> {
  if (globs.length === 0) return () => whenNone
  const patterns = globs.flatMap((glob) => {
    const clean = glob.replace(/^\.\//, '').replace(/\/$/, '')
    const anywhere = clean.includes('/') ? clean : `**/${clean}`
    return [anywhere, `${anywhere}/**`]
  })
  const { default: picomatch } = await import('picomatch')
  return picomatch(patterns, { dot: true })
}

function collect(word: string, walk: Walk): void {
  if (word === '-') {
    walk.found.set('-', { path: '<stdin>', project: walk.findProject(walk.folder) })
    return
  }
  if (walk.unsaved?.has(walk.word)) {
    keep(walk.word, walk, findProjectOf(dirname(walk.word), walk))
    return
  }
  const info = orError(() => statSync(walk.word))
  if (info instanceof Error) {
    const reason = info.code === 'ENOENT' ? texts.noSuchFileFolder : reasonOf(info)
    walk.unreadable.push({ path: word, error: `${reason}.` })
  } else if (!walk.boundary.holds(walk.word)) refuse(walk.word, word, walk)
  else if (info.isDirectory()) {
    const before = walk.found.size + walk.unreadable.length
    enter(walk.word, walk)
    if (walk.found.size + walk.unreadable.length === before && !isKnownAlready(walk))
      walk.unreadable.push({ path: word, error: nothingIn(walk.leftOut) })
  } else keep(walk.word, walk, findProjectOf(walk.word, walk))
}

function refuse(location: string, path: string, { boundary, unreadable }: Walk): void {
  boundary.refuse(location)
  unreadable.push({ path, error: texts.leadsOutsideProjectWas })
}

/** Nothing new in this folder because an earlier word already named what is in it. */
const isKnownAlready = ({ word, found }: Walk): boolean =>
  [...found.values()].some(({ location }) => location !== undefined && isBelow(location, word))

function nothingIn(leftOut: LeftOut): string {
  if (leftOut.size === 0) return texts.noSolFilesFolder
  return texts.noContractsProjectFolder(leftOutInWords(leftOut))
}

export function leftOutInWords(leftOut: LeftOut): string {
  const names: Record<Role | 'excluded', [one: string, many: string]> = {
    product: ['file', 'files'],
    test: ['test', 'tests'],
    script: ['script', 'scripts'],
    mock: ['mock', 'mocks'],
    outside: [texts.fileOutsideSources, texts.filesOutsideSources],
    vendored: [texts.vendoredFile, texts.vendoredFiles],
    dependency: [texts.folderDependencies, texts.foldersDependencies],
    excluded: [texts.fileFolderExcluded, texts.filesFoldersExcluded],
  }
  return [...leftOut].map(([role, count]) => `${count} ${names[role][count === 1 ? 0 : 1]}`).join(', ')
}

/** What reading gives, or why it gives nothing. */
function orError<T>(read: () => T): T | NodeJS.ErrnoException {
  try {
    return read()
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function enter(folder: string, walk: Walk): void {
  const entries = orError((): Dirent[] => readdirSync(folder, { withFileTypes: true }))
  if (entries instanceof Error) {
    walk.unreadable.push({ path: shownPath(folder, walk.folder), error: `${reasonOf(entries)}.` })
    return
  }
  const project = findProjectOf(folder, walk)
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) enterBelow(path, entry.name, project, walk)
    else if (entry.name.endsWith('.sol') && (entry.isFile() || isFile(path))) consider(path, project, walk)
  }
}

/** Settings that cannot be read are reported; the files are then scanned as those of a plain folder. */
function findProjectOf(path: string, walk: Walk): Project {
  try {
    return walk.findProject(path)
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error
    const shown = shownPath(error.path, walk.folder)
    if (!walk.unreadable.some((item) => item.path === shown))
      walk.unreadable.push({ path: shown, error: error.message })
    const root = join(error.path, '..')
    return {
      kind: 'folder',
      root,
      sources: [],
      tests: [],
      scripts: [],
      libraries: [],
      outputs: [],
      remappings: [],
      settings: [],
    }
  }
}

function enterBelow(path: string, name: string, project: Project, walk: Walk): void {
  const isHidden = name.startsWith('.') && name !== '.deps'
  if (isHidden) return
  if (walk.isExcluded(fromRoot(path, project))) {
    leaveOut('excluded', walk)
    return
  }
  const isLibrary = name === 'node_modules' || project.libraries.includes(path)
  const isOutput = project.outputs.includes(path) && !project.sources.some((source) => isBelow(source, path))
  if (isLibrary && walk.scope !== 'all') leaveOut('dependency', walk)
  else if (!isOutput) enter(path, walk)
}

function consider(path: string, project: Project, walk: Walk): void {
  const shown = fromRoot(path, project)
  if (walk.isExcluded(shown) || !walk.isIncluded(shown)) {
    leaveOut('excluded', walk)
    return
  }
  const role = roleOf(path, walk.word, project)
  if (isInScope(role, walk.scope)) {
    if (walk.boundary.holds(path)) keep(path, walk, project)
    else refuse(path, shownPath(path, walk.folder), walk)
  } else leaveOut(role, walk)
}

const fromRoot = (path: string, { root }: Project): string => relative(root, path).split(sep).join('/')

const leaveOut = (role: Role | 'excluded', { leftOut }: Walk): void => {
  leftOut.set(role, (leftOut.get(role) ?? 0) + 1)
}

function keep(location: string, walk: Walk, project: Project): void {
  if (!walk.found.has(location)) walk.found.set(location, { path: shownPath(location, walk.folder), location, project })
}

/** A link to a file is followed; one to a folder is not, because it may lead in circles. */
const isFile = (path: string): boolean => {
  const info = orError(() => statSync(path))
  return !(info instanceof Error) && info.isFile()
}

/** Relative to the working folder with forward slashes; as it is when it lies elsewhere. */
export function shownPath(location: string, folder: string): string {
  const path = relative(folder, location)
  const shown = path === '' || path.startsWith('..') || isAbsolute(path) ? location : path
  return shown.split(sep).join('/')
}
