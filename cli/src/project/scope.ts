import { relative, sep } from 'node:path'
import { testRoleOfFolder, testRoleOfName } from '@assay/engine/paths'
import type { Project } from './project.ts'

/** What a file is to its project; only `product` is reported unless more is requested. */
export type Role = 'product' | 'test' | 'script' | 'mock' | 'outside' | 'vendored' | 'dependency'
/** How much of what was not reported, and why. */
export type LeftOut = ReadonlyMap<Role | 'excluded', number>
export type Scope = 'product' | 'project' | 'all'

export const scopes = ['product', 'project', 'all'] as const

export const isInScope = (role: Role, scope: Scope): boolean =>
  scope === 'all' || role === 'product' || (scope === 'project' && role !== 'dependency')

/** Other people's code: installed, or copied into the sources. */
const folderRoles: readonly (readonly [RegExp, Role])[] = [
  [/^(node_modules|\.deps)$/i, 'dependency'],
  [/^(vendor|vendored|third[-_]?party)$/i, 'vendored'],
]

export const isBelow = (path: string, folder: string): boolean => {
  const inside = relative(folder, path)
  return inside === '' || (!inside.startsWith(`..${sep}`) && inside !== '..' && !inside.startsWith(sep))
}

/**
 * What a file is, seen from the word that named it: who names a folder of tests means the tests, so only what lies below
 * the word can make a file something else than product.
 */
export function roleOf(file: string, word: string, project: Project): Role {
  const isBelowWord = (folder: string) => isBelow(folder, word) && folder !== word && isBelow(file, folder)
  if (project.libraries.some(isBelowWord)) return 'dependency'
  const parts = relative(word, file).split(sep)
  const byFolder = parts.slice(0, -1).flatMap((part) => roleIn(folderRoles, part) ?? testRoleOfFolder(part) ?? [])
  if (byFolder[0]) return byFolder[0]
  if (project.tests.some(isBelowWord)) return 'test'
  if (project.scripts.some(isBelowWord)) return 'script'
  const byName = file === word ? undefined : testRoleOfName(parts.at(-1) ?? '')
  if (byName) return byName
  return isOutside(file, word, project) ? 'outside' : 'product'
}

/** Beside the folder of sources, though the word holds that folder: a tool of this project does not compile it. */
const isOutside = (file: string, word: string, { sources }: Project): boolean =>
  sources.some((source) => isBelow(source, word)) && !sources.some((source) => isBelow(file, source))

const roleIn = (roles: typeof folderRoles, name: string): Role | undefined =>
  roles.find(([pattern]) => pattern.test(name))?.[1]
