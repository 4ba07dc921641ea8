import { findDependencies, testRoleOf, testRoleOfName } from '@assay/engine/paths'
import { refuse } from '../errors.ts'

const MAX_PATH_LENGTH = 400
const invisible = /[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A path of a project as everything below uses it: relative, with forward slashes, without detours. Refuses any other. */
export function normalisePath(given: string): string {
  const shown = printable(given)
  if (given.length > MAX_PATH_LENGTH) return refuse('pathRefused', shown, 'it is too long')
  const path = given.replaceAll('\\', '/')
  if (path.replace(invisible, '') !== path) return refuse('pathRefused', shown, 'it has control characters')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return refuse('pathRefused', shown, 'it is absolute')
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return refuse('pathRefused', shown, 'it leads out of the project')
  if (parts.length === 0) return refuse('pathRefused', shown, 'it is empty')
  return parts.join('/')
}

/** Names that some systems keep for devices, or cannot keep as they are: what is written there is not what was meant. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

export function refuseReserved(path: string): void {
  for (const part of path.split('/')) {
    if (reserved.test(part)) refuse('pathRefused', printable(path), 'Windows keeps this name for a device')
    if (/[. ]$/.test(part)) refuse('pathRefused', printable(path), 'a name in it ends with a dot or a blank')
  }
}

export function sourcePath(given: string): string {
  const path = normalisePath(given)
  refuseReserved(path)
  return path
}

/** A path that foreign tools wrote: whatever leads out of the project, or is no part of a name, is taken off. */
export function tamePath(given: string): string {
  const parts = given
    .replace(invisible, '')
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:(?=\/)/, '')
    .split('/')
  const kept = parts.filter((part) => part !== '' && part !== '.' && part !== '..')
  return kept.join('/').slice(-MAX_PATH_LENGTH) || 'contract.sol'
}

const printable = (path: string): string => path.replace(invisible, '').slice(0, 100)

/** The name of a single file: whatever lies above it on the client's machine is left out. */
export function cleanName(given: string): string {
  const path = given.replace(invisible, '').replaceAll('\\', '/')
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:/.test(path)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const kept = isAbsolute ? parts.slice(-1) : parts.slice(parts.lastIndexOf('..') + 1)
  return kept.join('/').slice(-200)
}

/** Folders that tools know by name: a project's root is never one of them. */
const knownFolders = /^(src|contracts|lib|node_modules|tests?|scripts?|interfaces|dependencies)$/i

/** The folder that an archive of a forge puts around everything. */
export function commonFolder(paths: readonly string[]): string | undefined {
  const [first = ''] = paths
  const slash = first.indexOf('/')
  if (slash < 0) return undefined
  const folder = first.slice(0, slash)
  return !knownFolders.test(folder) && paths.every((path) => path.startsWith(`${folder}/`)) ? folder : undefined
}

/** Which of these are read so that other files are understood, and reported only on request: tests, scripts, other people's code. */
export function findForMeaning(paths: readonly string[]): (path: string) => boolean {
  const isDependency = findDependencies(paths)
  return (path) => testRoleOf(path) !== undefined || testRoleOfName(path) !== undefined || isDependency(path)
}

/** What forge and npm would map by default: packages and libraries under their own names, also libraries of libraries. */
export function inferRemappings(paths: readonly string[]): string[] {
  const packages = new Map<string, string>()
  for (const path of paths) {
    const npm = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)
    if (npm) packages.set(`${npm[1]}/`, path.slice(0, path.indexOf(npm[1] as string) + (npm[1] as string).length + 1))
  }
  return [...[...packages].map(([prefix, target]) => `${prefix}=${target}`), ...mapLibraries(paths)]
}

/** Libraries of libraries of libraries exist; deeper ones are copies of those. */
const MAX_DEPTH = 3

/** Where a path lies in libraries, the outermost first; what npm installed is found otherwise. */
export function libraryHomes(path: string): string[] {
  const homes: string[] = []
  for (const { 0: folders, index } of path.matchAll(/(?<=^|\/)(?:lib|dependencies)\/[^/]+\//g)) {
    const home = path.slice(0, index + folders.length)
    if (!home.includes('node_modules/') && homes.length < MAX_DEPTH) homes.push(home)
  }
  return homes
}

/** Each by the name of its folder, its code in `src`, in `contracts` or directly; those that lie less deep first. */
function mapLibraries(paths: readonly string[]): string[] {
  const folders = new Map<string, { readonly depth: number; readonly folders: Set<string> }>()
  for (const path of paths)
    for (const [depth, home] of libraryHomes(path).entries()) {
      const library = folders.get(home) ?? { depth, folders: new Set() }
      folders.set(home, library)
      library.folders.add(path.slice(home.length, path.indexOf('/', home.length) + 1))
    }
  return [...folders]
    .sort(([, a], [, b]) => a.depth - b.depth)
    .flatMap(([home, library]) => {
      const targets = ['src/', 'contracts/'].filter((folder) => library.folders.has(folder))
      return libraryNames(home).flatMap((name) => [...targets, ''].map((target) => `${name}/=${home}${target}`))
    })
}

/** Soldeer puts the version into the folder's name, and its users import with and without it. */
function libraryNames(home: string): string[] {
  const name = home.slice(home.lastIndexOf('/', home.length - 2) + 1, -1)
  const [, withoutVersion] = /^(.+?)-v?\d+(?:\.\d+)*/.exec(name) ?? []
  return withoutVersion === undefined ? [name] : [name, withoutVersion]
}
