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

/** A path that somebody else's tools wrote: whatever leads out of the project, or is no part of a name, is taken off. */
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

/** The name of a single file: whatever lies above it on the client's machine is none of ours. */
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

const foldersForMeaning = /^(tests?|mocks?|scripts?|harness|certora|lib|node_modules|dependencies)$/i

/** How Hardhat names the sources of packages: by their npm scope, or with their version. */
const packagePath = /^(@[^/]+\/[^/]+\/|npm\/(@[^/]+\/)?[^/@]+@[^/]+\/)/

/** Read so that other files are understood, and reported only when asked for: tests, scripts, other people's code. */
export const isForMeaning = (path: string): boolean =>
  /\.[ts]\.sol$/i.test(path) ||
  packagePath.test(path) ||
  path
    .split('/')
    .slice(0, -1)
    .some((folder) => foldersForMeaning.test(folder))

/** What forge and npm would map without being told: packages and libraries under their own names. */
export function inferRemappings(paths: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const path of paths) {
    const npm = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)
    if (npm) found.set(`${npm[1]}/`, path.slice(0, path.indexOf(npm[1] as string) + (npm[1] as string).length + 1))
    const library = /^(?:lib|dependencies)\/([^/]+)\/(src\/|contracts\/)?/.exec(path)
    if (!library) continue
    const prefix = `${library[1]}/`
    const isBetter = library[2] === 'src/' || (library[2] === 'contracts/' && !found.get(prefix)?.endsWith('/src/'))
    if (isBetter || !found.has(prefix)) found.set(prefix, library[0])
  }
  return [...found].map(([prefix, target]) => `${prefix}=${target}`)
}
