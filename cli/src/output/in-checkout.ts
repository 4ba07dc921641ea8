import { relative, sep } from 'node:path'
import type { Io } from '../io.ts'

/**
 * The path from the root of a GitHub checkout to the working directory, `packages/vault/`; empty at the root and outside of a job. Annotations
 * and alerts name files from the root.
 */
export function folderInCheckout({ folder, environment }: Pick<Io, 'folder' | 'environment'>): string {
  const root = environment.GITHUB_WORKSPACE
  const path = root ? relative(root, folder) : ''
  return path === '' || path.startsWith('..') ? '' : `${path.split(sep).join('/')}/`
}
