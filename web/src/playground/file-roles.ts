import { findDependencies, testRoleOf, testRoleOfName } from '@assay/engine/paths'

export const fileRoles = ['product', 'dependency', 'test'] as const
export type FileRole = (typeof fileRoles)[number]

/** Those that are reported first, tests last; each kind in its order. */
export function sortByRole<Source extends { path: string }>(sources: readonly Source[]): Source[] {
  const roleOf = findRoles(sources.map(({ path }) => path))
  return fileRoles.flatMap((role) => sources.filter(({ path }) => roleOf(path) === role))
}

/** What each of these files is to its project, by the tables of the service: reported, imported, or for tests alone. */
export function findRoles(paths: readonly string[]): (path: string) => FileRole {
  const isDependency = findDependencies(paths)
  return (path) => {
    if (isDependency(path)) return 'dependency'
    return testRoleOf(path) === undefined && testRoleOfName(path) === undefined ? 'product' : 'test'
  }
}
