import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Boundary, realPath } from './boundary.ts'
import type { Project, Remapping } from './project.ts'
import { isBelow } from './scope.ts'
import { createPackageIndex } from './workspace-packages.ts'

export interface Resolving {
  readonly project: Project
  /** Given on the command line: before those of the project. */
  readonly remappings: readonly Remapping[]
  /** The working folder. */
  readonly folder: string
  readonly boundary: Boundary
  /** Texts that count as files, by location. */
  readonly unsaved?: ReadonlyMap<string, string> | undefined
}

export type ResolveImport = (wanted: string, importer: string) => string | undefined

/** Finds the file that an import means, the way the project's compiler would; asks the disk once per place. */
export function createImportResolver(resolving: Resolving): ResolveImport {
  const known = new Map<string, boolean>()
  const isFile = (path: string): boolean => {
    let answer = known.get(path)
    if (answer === undefined) {
      answer = resolving.unsaved?.has(path) || (existsSync(path) && statSync(path).isFile())
      known.set(path, answer)
    }
    return answer
  }
  const held = new Map<string, boolean>()
  const isHeld = (path: string): boolean => {
    const answer = held.get(path) ?? resolving.boundary.holds(path)
    held.set(path, answer)
    return answer
  }
  const packagesNamed = createPackageIndex(resolving.boundary)
  return (wanted, importer) => {
    const outside: string[] = []
    for (const candidate of candidatesFor(wanted, importer, { ...resolving, packagesNamed })) {
      if (!isFile(candidate)) continue
      if (isHeld(candidate)) return candidate
      outside.push(candidate)
    }
    for (const candidate of outside.slice(0, 1)) resolving.boundary.refuse(candidate)
    return undefined
  }
}

interface Searching extends Resolving {
  packagesNamed(name: string): readonly string[]
}

function* candidatesFor(wanted: string, importer: string, resolving: Searching): Generator<string> {
  const { project, remappings, folder } = resolving
  const home = dirname(importer)
  if (/^\.{1,2}\//.test(wanted)) {
    yield resolve(home, wanted)
    return
  }
  yield* mapped(wanted, importer, remappings)
  yield* mapped(wanted, importer, project.remappings)
  yield* inNodeModules(wanted, home)
  const real = dirname(realPath(importer))
  // With pnpm a package sees its own packages only from where it really lies.
  if (real !== home) yield* inNodeModules(wanted, real)
  const downloaded = /^(?:https?:\/\/)?github\.com\/(.+)$/.exec(wanted)?.[1]
  yield join(project.root, '.deps', downloaded ? `github/${downloaded}` : `npm/${wanted}`)
  for (const place of [project.root, ...project.libraries, ...project.sources, folder, home])
    yield resolve(place, wanted)
  yield* inWorkspace(wanted, resolving)
}

/** A package of the same repository, by the name in its package.json: npm links it into `node_modules` when it installs. */
function* inWorkspace(wanted: string, { packagesNamed }: Searching): Generator<string> {
  const [, name, path] = /^(@[^/]+\/[^/]+|[^@./][^/]*)\/(.+)$/.exec(wanted) ?? []
  if (name === undefined || path === undefined) return
  for (const folder of packagesNamed(name)) yield resolve(folder, path)
}

/** The most particular first: the longer context, then the longer prefix, then the order in which they were written. */
function mapped(wanted: string, importer: string, remappings: readonly Remapping[]): string[] {
  return remappings
    .filter(({ context, prefix }) => wanted.startsWith(prefix) && (context === '' || isBelow(importer, context)))
    .sort((a, b) => b.context.length - a.context.length || b.prefix.length - a.prefix.length)
    .map(({ prefix, target }) => resolve(target + wanted.slice(prefix.length)))
}

function* inNodeModules(wanted: string, from: string): Generator<string> {
  for (let place = from; ; place = dirname(place)) {
    yield join(place, 'node_modules', wanted)
    if (place === dirname(place)) return
  }
}
