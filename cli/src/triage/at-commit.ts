import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceRequest } from '../input/read-project.ts'
import { realPath } from '../project/boundary.ts'
import { isBelow } from '../project/scope.ts'
import { type Commit, openCommit } from './git-commit.ts'

/** A request for the project as a commit has it. What git does not hold, as installed packages, is read from the disk. */
export interface AtCommit {
  readonly request: SourceRequest
  readonly dependencies: Commit['dependencies']
}

/**
 * The request with the texts of the commit: files that came later count as empty, those that are gone now are named one by one.
 */
export async function atCommit(
  request: SourceRequest,
  ref: string,
  current: readonly { readonly location: string }[],
  folder: string,
): Promise<AtCommit> {
  const commit = await openCommit(folder, ref, ref)
  const home = realPath(folder)
  const inFolder = [...commit.files].filter(([path]) => isBelow(join(commit.root, path), home))
  const texts = await commit.read([...new Set(inFolder.map(([, id]) => id))])
  // As the command names them: the folder may be reached by a link.
  const located = inFolder.map(
    ([path, id]) => [join(folder, join(commit.root, path).slice(home.length)), texts.get(id)] as const,
  )
  const unsaved = new Map(current.map(({ location }) => [location, '']))
  for (const [location, text] of located) unsaved.set(location, text ?? '')
  const gone = located.flatMap(([location]) => (existsSync(location) ? [] : [location]))
  return { request: { ...request, paths: [...request.paths, ...gone], unsaved }, dependencies: commit.dependencies }
}

/** Paths of dependencies that differ. */
export const differing = (a: AtCommit['dependencies'], b: AtCommit['dependencies']): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort()
