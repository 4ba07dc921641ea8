import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Io } from '../io.ts'
import { boundary as texts } from '../messages/project.ts'
import { BrokenConfig } from './project.ts'
import { isBelow } from './scope.ts'

/**
 * What may be read and written. A repository can lead anywhere by links, imports, remappings and settings, so the real path
 * of every file counts: it must lie below the project of one of the paths that were typed, or below `--root`.
 */
export interface Boundary {
  /** Real paths. */
  readonly roots: readonly string[]
  /** Whether a path lies inside once its links are worked out; also for one that is not there yet. */
  holds(path: string): boolean
  /** Named as something inside, though its links may lead elsewhere. */
  names(path: string): boolean
  /** Writes down that something outside was wanted. */
  refuse(path: string): void
  /** What was wanted and lies outside: paths as they were named. */
  readonly refused: ReadonlySet<string>
}

export interface Bounds {
  /** As typed; `-` is standard input. */
  readonly paths: readonly string[]
  /** `--root`: instead of what is found. */
  readonly root?: string | undefined
  /** Folders besides, which were typed, too. */
  readonly also?: readonly string[]
}

export function createBoundary({ paths, root, also = [] }: Bounds, io: Pick<Io, 'folder' | 'environment'>): Boundary {
  const home = io.environment.HOME ?? io.environment.USERPROFILE
  const limits = { folder: realPath(io.folder), home: home === undefined ? undefined : realPath(home) }
  const found =
    root === undefined
      ? paths.flatMap((word) => rootOfWord(word === '-' ? io.folder : resolve(io.folder, word), limits) ?? [])
      : [realPath(resolve(io.folder, root))]
  const roots = [...new Set([...found, ...also.map(realPath)])]
  const refused = new Set<string>()
  return {
    roots,
    refused,
    holds: (path) => {
      const real = realPath(path)
      return roots.some((each) => isBelow(real, each))
    },
    names: (path) => ancestorsOf(path).some((place) => roots.includes(realPath(place))),
    refuse: (path) => void refused.add(path),
  }
}

interface Limits {
  /** The working folder. */
  readonly folder: string
  readonly home: string | undefined
}

/** The root that a typed path stands for; none when it is a link that leads out of the project in which it lies. */
function rootOfWord(path: string, limits: Limits): string | undefined {
  // A pipe of the shell: `/dev/stdin`, `<(…)`.
  if (path.startsWith('/dev/')) return realPath(path)
  const info = lstatSync(path, { throwIfNoEntry: false })
  if (info?.isDirectory()) return findRoot(realPath(path), limits)
  const around = findRoot(realPath(dirname(path)), limits)
  if (!info?.isSymbolicLink()) return around
  const target = realPath(path)
  if (!isBelow(target, around)) return undefined
  return lstatSync(target, { throwIfNoEntry: false })?.isDirectory() ? findRoot(target, limits) : around
}

const toolMarkers = [
  ...['foundry.toml', 'hardhat.config.js', 'hardhat.config.ts', 'hardhat.config.cjs', 'hardhat.config.mjs'],
  ...['hardhat.config.cts', 'hardhat.config.mts', 'truffle.js', 'truffle-config.js', 'remix.config.json', '.deps'],
  ...[
    'brownie-config.yaml',
    'brownie-config.yml',
    'ape-config.yaml',
    'ape-config.yml',
    'ape-config.json',
    'ape-config.toml',
  ],
]
const markers = ['package.json', 'remappings.txt', '.gitmodules', 'soldeer.toml', 'assay.config.json']

/**
 * The repository a folder belongs to; without one the workspace, then the nearest folder that is marked as a project, then
 * the working folder, then the folder itself. Never the home folder or the whole disk, unless they were named.
 */
function findRoot(start: string, { folder, home }: Limits): string {
  const isTooWide = (place: string) => place === home || place === dirname(place)
  const has = (place: string, names: readonly string[]) => names.some((name) => existsSync(join(place, name)))
  let ofTool: string | undefined
  let marked: string | undefined
  let workspace: string | undefined
  for (let place = start; !isTooWide(place); place = dirname(place)) {
    if (existsSync(join(place, '.git'))) return place
    if (isWorkspace(place)) workspace = place
    ofTool ??= has(place, toolMarkers) ? place : undefined
    marked ??= has(place, markers) ? place : undefined
  }
  const around = isBelow(start, folder) && !isTooWide(folder) ? folder : start
  return workspace ?? ofTool ?? marked ?? around
}

function isWorkspace(folder: string): boolean {
  if (['pnpm-workspace.yaml', 'lerna.json'].some((name) => existsSync(join(folder, name)))) return true
  try {
    return JSON.parse(readRegularFile(join(folder, 'package.json'))).workspaces !== undefined
  } catch {
    return false
  }
}

/** The path with its links worked out; of what is not there yet, with those of the folder that is. */
export function realPath(path: string): string {
  try {
    // One call of the system; the other one asks for each folder on the way.
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
  }
}

const ancestorsOf = (path: string): string[] =>
  dirname(path) === path ? [path] : [path, ...ancestorsOf(dirname(path))]

const maxSettingsBytes = 4 * 1024 * 1024

/** The text of a settings file; one that lies outside of the project, or is no file, is refused. */
export function readSettingsFile(path: string, boundary: Pick<Boundary, 'holds' | 'refuse'>): string {
  if (!boundary.holds(path)) {
    boundary.refuse(path)
    throw new BrokenConfig(path, texts.leadsOutsideProjectWas)
  }
  return readRegularFile(path)
}

function readRegularFile(path: string): string {
  // A pipe would be waited for without an end.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const info = fstatSync(file)
    if (!info.isFile()) throw new BrokenConfig(path, texts.notFile)
    if (info.size > maxSettingsBytes) throw new BrokenConfig(path, texts.largerThanBytes(maxSettingsBytes))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
