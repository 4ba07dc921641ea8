import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Boundary, realPath } from './boundary.ts'
import { inferRemappings, readFoundry } from './foundry.ts'
import { readHardhat } from './hardhat.ts'
import { type Project, toolsOf } from './project.ts'
import { apeConfig, brownieConfig, readApe, readBrownie } from './python-tools.ts'
import { readRemappingFile } from './remappings.ts'
import { toSetting } from './setting.ts'
import { readTruffle } from './truffle.ts'

export interface ProjectOptions {
  /** FOUNDRY_PROFILE, as forge reads it. */
  readonly foundryProfile: string
  readonly boundary: Boundary
}

export type FindProject = (folder: string) => Project

const hardhatConfig = /^hardhat\.config\.[cm]?[jt]s$/
const truffleConfig = /^truffle(-config)?\.js$/
/** What marks the root of a project that none of the known tools speaks of. */
const markers = new Set(['package.json', 'remappings.txt', '.gitmodules', 'soldeer.toml', '.git', 'assay.config.json'])

/** What a folder and those above it say, as far as the search goes. */
interface Seen {
  /** The nearest project of a known tool. */
  readonly ofTool: Project | undefined
  /** The nearest root that is only marked as one. */
  readonly marked: Project | undefined
}

/** Answers, for any folder, to which project it belongs: the nearest one above it. Remembers what it has read. */
export function createProjectFinder(options: ProjectOptions): FindProject {
  const known = new Map<string, Seen>()
  const seenFrom = (folder: string): Seen => {
    const before = known.get(folder)
    if (before) return before
    const seen = lookAt(folder)
    known.set(folder, seen)
    return seen
  }
  const lookAt = (folder: string): Seen => {
    if (!options.boundary.holds(folder)) return { ofTool: undefined, marked: undefined }
    const names = list(folder)
    const project = readProject(folder, names, options)
    if (project && project.kind !== 'folder') return { ofTool: project, marked: undefined }
    const isLast =
      folder === dirname(folder) || names.includes('.git') || options.boundary.roots.includes(realPath(folder))
    // A package inside of a Foundry or Hardhat project belongs to that one, so the search goes on.
    const above = isLast ? undefined : seenFrom(dirname(folder))
    return { ofTool: above?.ofTool, marked: project ?? above?.marked }
  }
  return (folder) => {
    const { ofTool, marked } = seenFrom(resolve(folder))
    return ofTool ?? marked ?? plainFolder(folder)
  }
}

function readProject(root: string, names: readonly string[], options: ProjectOptions): Project | undefined {
  const complete = (project: Project) => withDependencies(project, names, options.boundary)
  const [first, ...others] = readTools(root, names, options)
  if (first) return complete(others.reduce(joinProjects, first))
  if (names.includes('.deps') || names.includes('remix.config.json'))
    return complete({ ...plainFolder(root), kind: 'Remix' })
  return names.some((name) => markers.has(name)) ? complete(plainFolder(root)) : undefined
}

/** What each tool with settings in this folder says, the main one first. */
function readTools(root: string, names: readonly string[], options: ProjectOptions): Project[] {
  const { boundary } = options
  const readAll = (pattern: RegExp, read: (root: string, config: string, boundary: Boundary) => Project) =>
    names
      .filter((name) => pattern.test(name))
      .slice(0, 1)
      .map((config) => read(root, config, boundary))
  return [
    ...(names.includes('foundry.toml') ? [readFoundry(root, names, options)] : []),
    ...readAll(hardhatConfig, readHardhat),
    ...readAll(truffleConfig, readTruffle),
    ...readAll(brownieConfig, readBrownie),
    ...readAll(apeConfig, readApe),
  ]
}

/** A project of two tools is both: what either compiles is source, what either tests is test. */
const joinProjects = (first: Project, second: Project): Project => ({
  kind: first.kind,
  others: [...(first.others ?? []), ...toolsOf(second)],
  root: first.root,
  sources: unique([...first.sources, ...second.sources]),
  tests: unique([...first.tests, ...second.tests]),
  scripts: unique([...first.scripts, ...second.scripts]),
  libraries: unique([...first.libraries, ...second.libraries]),
  outputs: unique([...first.outputs, ...second.outputs]),
  remappings: [...first.remappings, ...second.remappings],
  compilers: inBoth(first.compilers, second.compilers),
  settings: [...first.settings, ...second.settings],
})

const inBoth = (first: Project['compilers'], second: Project['compilers']): Project['compilers'] =>
  first && second ? first.filter((version) => second.includes(version)) : (first ?? second)

/** What holds beside any project file: where packages, submodules, Soldeer's and Remix's downloads and builds lie. */
function withDependencies(project: Project, names: readonly string[], boundary: Boundary): Project {
  const here = (...folders: string[]) =>
    folders.filter((name) => names.includes(name)).map((n) => join(project.root, n))
  const own = new Set([...project.sources, ...project.tests, ...project.scripts])
  const notOwn = (folder: string) => !own.has(folder)
  const file = join(project.root, 'remappings.txt')
  const remappings = names.includes('remappings.txt') ? readRemappingFile(file, boundary) : []
  // Without the settings of a tool libraries go by the names of their folders, as they do in the service.
  const inferred =
    project.kind === 'folder'
      ? here('lib', 'dependencies').flatMap((library) => inferRemappings(library, boundary))
      : []
  return {
    ...project,
    libraries: unique([...project.libraries, ...here('lib', 'node_modules', 'dependencies', '.deps').filter(notOwn)]),
    outputs: unique([
      ...project.outputs,
      ...here('out', 'artifacts', 'cache', 'dist', 'typechain-types').filter(notOwn),
    ]),
    // Foundry's stand among the others already, in forge's order.
    remappings: project.kind === 'Foundry' ? project.remappings : [...project.remappings, ...remappings, ...inferred],
    settings: [...project.settings, ...remappingSetting(file, remappings.length)],
  }
}

const remappingSetting = (file: string, count: number) =>
  count === 0 ? [] : [toSetting(file, 'remappings', `${count} of imports`)]

const plainFolder = (root: string): Project => ({
  kind: 'folder',
  root: resolve(root),
  sources: [],
  tests: [],
  scripts: [],
  libraries: [],
  outputs: [],
  remappings: [],
  settings: [],
})

const unique = (items: readonly string[]): string[] => [...new Set(items)]

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
