import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file that is made from a source of truth elsewhere in the project. */
export interface GeneratedFile {
  /** Relative to the project folder, with forward slashes. */
  readonly path: string
  readonly content: string | Uint8Array
}

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/** Nothing but generated files lives here, so one that nobody generates any more is stale too. */
const ownedFolders = ['docs/reference/detectors']

export interface StaleFile {
  readonly path: string
  readonly reason: 'missing' | 'changed' | 'left over'
}

/** What differs from what all the generators say. */
export function findStale(files: readonly GeneratedFile[], folder = projectFolder): StaleFile[] {
  return [...findOutdated(files, folder), ...findLeftOver(files, folder)]
}

function findOutdated(files: readonly GeneratedFile[], folder: string): StaleFile[] {
  const stale: StaleFile[] = []
  for (const { path, content } of files) {
    const target = join(folder, path)
    if (!existsSync(target)) stale.push({ path, reason: 'missing' })
    else if (!readFileSync(target).equals(Buffer.from(content as string))) stale.push({ path, reason: 'changed' })
  }
  return stale
}

function findLeftOver(files: readonly GeneratedFile[], folder: string): StaleFile[] {
  const wanted = new Set(files.map(({ path }) => path))
  return ownedFolders
    .filter((owned) => existsSync(join(folder, owned)))
    .flatMap((owned) => readdirSync(join(folder, owned)).map((name) => `${owned}/${name}`))
    .filter((path) => !wanted.has(path))
    .map((path) => ({ path, reason: 'left over' }))
}

/** Writes what is missing or changed, and tells what that was. */
export function writeOutdated(files: readonly GeneratedFile[], folder = projectFolder): StaleFile[] {
  const outdated = findOutdated(files, folder)
  for (const { path } of outdated) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, files.find((file) => file.path === path)?.content ?? '')
  }
  return outdated
}

/** Brings the project up to date with the output of all generators, and tells what changed. */
export function writeGenerated(files: readonly GeneratedFile[], folder = projectFolder): StaleFile[] {
  const leftOver = findLeftOver(files, folder)
  for (const { path } of leftOver) rmSync(join(folder, path))
  return [...writeOutdated(files, folder), ...leftOver]
}
