import { findDependencies, testRoleOf } from '@assay/engine/paths'

export const fileRoles = ['product', 'dependency', 'test'] as const
export type FileRole = (typeof fileRoles)[number]

/** What each of these files is to its project, by the tables of the service: reported, imported, or for tests alone. */
export function findRoles(paths: readonly string[]): (path: string) => FileRole {
  const isDependency = findDependencies(paths)
  return (path) => {
    if (isDependency(path)) return 'dependency'
    return testRoleOf(path) === undefined ? 'product' : 'test'
  }
}
