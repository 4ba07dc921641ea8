import { testRoleOf } from '@assay/engine/paths'

export const fileRoles = ['product', 'dependency', 'test'] as const
export type FileRole = (typeof fileRoles)[number]

const dependency = /^(lib|dependencies)\/|(^|\/)node_modules\//

/** What a file is to its project, by the table of the command and the service: deployed, imported, or for tests alone. */
export function fileRole(path: string): FileRole {
  if (dependency.test(path)) return 'dependency'
  return testRoleOf(path) === undefined ? 'product' : 'test'
}
