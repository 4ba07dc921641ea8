import { createHash } from 'node:crypto'
import { relative, resolve, sep } from 'node:path'
import { findDependencies, isKnownSource, isTestTool, type Sha256, withoutCopies } from '@assay/engine/paths'
import type { Io } from '../io.ts'
import { readProject as texts } from '../messages/input.ts'
import { type Boundary, createBoundary } from '../project/boundary.ts'
import { createProjectFinder } from '../project/find-project.ts'
import type { Project } from '../project/project.ts'
import { parseRemapping, readGivenRemappings } from '../project/remappings.ts'
import { createImportResolver } from '../project/resolve-import.ts'
import { isBelow, type LeftOut, type Scope, scopes } from '../project/scope.ts'
import type { Setting } from '../project/setting.ts'
import { makePrograms, type Program } from '../scan/programs.ts'
import { collectFiles, shownPath, type Unreadable } from './collect-files.ts'
import { followImports, type MissingImport } from './follow-imports.ts'
import { type FoundSource, isReadable, readSources, type Source } from './read-source.ts'

/** Which files are meant, and how their imports are found. */
export interface SourceRequest {
  readonly paths: readonly string[]
  readonly scope: Scope
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly remappings: readonly string[]
  readonly withImports: boolean
  /** `--root`. */
  readonly root?: string | undefined
  /** What may be read, where it is more than the paths and `root` say. */
  readonly boundary?: Boundary
  /** Texts that count instead of what lies on the disk, by location: what stands in an editor, or what a commit said. */
  readonly unsaved?: ReadonlyMap<string, string>
}

export interface ProjectSources {
  /** The project of most of the files; undefined when there are none. */
  readonly project: Project | undefined
  /** Of all files that were found, in that order, readable or not. */
  readonly paths: readonly string[]
  readonly sources: readonly FoundSource[]
  readonly programs: readonly Program[]
  readonly unreadable: readonly Unreadable[]
  readonly missingImports: readonly MissingImport[]
  readonly importedCount: number
  readonly leftOut: LeftOut
  /** What files of the project set. */
  readonly settings: readonly Setting[]
  /** What lies outside of the project and was not read. */
  readonly refused: readonly string[]
}

/** Finds the files, reads them and what they import, and cuts them into programs. */
export async function readProjectSources(request: SourceRequest, io: Io): Promise<ProjectSources> {
  const boundary = request.boundary ?? boundaryOf(request, io)
  const findProject = createProjectFinder({
    foundryProfile: io.environment.FOUNDRY_PROFILE ?? 'default',
    boundary,
  })
  const found = await collectFiles(request.paths, { ...request, folder: io.folder, findProject, boundary })
  const remappings = readGivenRemappings(request.remappings, io.folder)
  const read = await readSources(found.files, io, request.unsaved)
  const all = found.files.map(({ path, location, project }, index) => ({
    project,
    location: location ?? `${io.folder}/${path}`,
    source: read[index] as (typeof read)[number],
  }))
  const located = withoutVendored(all, request, io)
  const programs: Program[] = []
  const missingImports: MissingImport[] = []
  let importedCount = 0
  for (const [root, given] of byRoot(located)) {
    const project = given[0]?.project
    if (!project) throw new Error(texts.noProject(root))
    const own = given.flatMap(({ source, location }) => (isReadable(source) ? [{ ...source, location }] : []))
    const resolveImport = createImportResolver({
      project,
      remappings,
      folder: io.folder,
      boundary,
      unsaved: request.unsaved,
    })
    const followed = request.withImports
      ? await followImports(own, resolveImport, io, request.unsaved)
      : { imported: [], targets: {}, missing: [] }
    programs.push(...makePrograms(own, followed))
    missingImports.push(...followed.missing)
    importedCount += followed.imported.length
  }
  return {
    project: commonest(located.map(({ project }) => project)),
    paths: located.map(({ source }) => source.path),
    sources: located.flatMap(({ source, location }) => (isReadable(source) ? [{ ...source, location }] : [])),
    programs,
    unreadable: [...located.flatMap(({ source }) => (isReadable(source) ? [] : [source])), ...found.unreadable],
    missingImports,
    importedCount,
    leftOut: countVendored(found.leftOut, all.length - located.length),
    settings: settingsOf(
      located.map(({ project }) => project),
      io,
    ),
    refused: [...boundary.refused].map((path) => shownPath(path, io.folder)).sort(),
  }
}

interface Located {
  readonly project: Project
  readonly location: string
  readonly source: Source
}

/**
 * Without files of a test runner or of a well-known library that were copied into the sources; they are kept where they were typed.
 * Where most files are such, the project is that library, or there is nothing else.
 */
function withoutVendored(all: readonly Located[], { scope, paths }: SourceRequest, io: Io): readonly Located[] {
  if (scope !== 'product') return all
  const typed = new Set(paths.map((word) => resolve(io.folder, word)))
  const isOther =
    (isVendored: (text: string) => boolean) =>
    ({ source, location }: Located): boolean =>
      !typed.has(location) && isReadable(source) && isVendored(source.text)
  const isTool = isOther(isTestTool)
  const product = withoutLibraries(all, typed).filter((one) => !isTool(one))
  const own = withoutCopies(
    product,
    isOther((text) => isKnownSource(text, sha256)),
  )
  return own.length > 0 ? own : all
}

const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('base64url')

/**
 * `Streaming/lib/solmate`, beside `Streaming/src`: without the file of a tool the folders say whose code it is, as they do to the
 * service. Who types a folder of libraries means it, so folders count only below the word.
 */
function withoutLibraries(all: readonly Located[], typed: ReadonlySet<string>): readonly Located[] {
  const words = [...typed]
  const pathOf = ({ location }: Located): string => {
    const at = words.findIndex((word) => isBelow(location, word))
    return [`word ${at}`, ...relative(words[at] ?? sep, location).split(sep)].join('/')
  }
  const isDependency = findDependencies(all.map(pathOf))
  const own = all.filter(
    (one) => one.project.kind !== 'folder' || typed.has(one.location) || !isDependency(pathOf(one)),
  )
  return own.length > 0 ? own : all
}

const countVendored = (leftOut: LeftOut, more: number): LeftOut =>
  more === 0 ? leftOut : new Map([...leftOut, ['vendored', (leftOut.get('vendored') ?? 0) + more]])

/** The project of each path; and where remappings that were typed lead, because they were typed, too. */
export const boundaryOf = (
  { paths, root, remappings }: Pick<SourceRequest, 'paths' | 'root' | 'remappings'>,
  io: Io,
): Boundary =>
  createBoundary(
    {
      paths,
      root,
      also: remappings.flatMap((word) => parseRemapping(word, io.folder)?.target ?? []),
    },
    io,
  )

const settingsOf = (projects: readonly Project[], io: Io): Setting[] =>
  [...new Set(projects)].flatMap(({ settings }) =>
    settings.map((setting) => ({ ...setting, file: shownPath(setting.file, io.folder) })),
  )

function byRoot<Item extends { readonly project: Project }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.project.root)
    if (group) group.push(item)
    else groups.set(item.project.root, [item])
  }
  return groups
}

function commonest(projects: readonly Project[]): Project | undefined {
  const counts = new Map<Project, number>()
  for (const project of projects) counts.set(project, (counts.get(project) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/** The options of every command that reads a project. */
export const sourceOptions = {
  scope: {
    value: 'scope',
    choices: scopes,
    default: 'product',
    inConfig: true,
    description: texts.whatMeantProductCode,
  },
  include: {
    value: 'glob',
    isRepeatable: true,
    inConfig: true,
    description: texts.onlyFilesMatchTheir,
  },
  exclude: {
    value: 'glob',
    isRepeatable: true,
    inConfig: true,
    description: texts.leaveOutFilesFolders,
  },
  remappings: {
    value: texts.filePrefixTarget,
    isRepeatable: true,
    isPath: true,
    inConfig: true,
    description: texts.importRemappingsTheyOverride,
  },
  root: {
    value: 'folder',
    description: texts.readNothingOutsideFolder,
  },
} as const

export interface SourceValues {
  readonly scope: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly remappings: readonly string[]
  readonly root?: string | undefined
}

export const toSourceRequest = (paths: readonly string[], options: SourceValues): SourceRequest => ({
  paths,
  scope: options.scope as Scope,
  include: options.include,
  exclude: options.exclude,
  remappings: options.remappings,
  root: options.root,
  withImports: true,
})
