import { relative, sep } from 'node:path'
import type { Project } from './project.ts'

/** What a file is to its project; only `product` is reported unless more is asked for. */
export type Role = 'product' | 'test' | 'script' | 'mock' | 'outside' | 'dependency'
/** How much of what was not reported, and why. */
export type LeftOut = ReadonlyMap<Role | 'excluded', number>
export type Scope = 'product' | 'project' | 'all'

export const scopes = ['product', 'project', 'all'] as const

export const isInScope = (role: Role, scope: Scope): boolean =>
  scope === 'all' || role === 'product' || (scope === 'project' && role !== 'dependency')

/** By the words of a folder's name: `TestContracts`, `test_helpers` and `echidna-tests` are tests, `attestations` is not. */
const folderWords: readonly (readonly [ReadonlySet<string>, Role])[] = [
  [new Set(['test', 'tests', 'testing', 'tester', 'testers', 'testhelper', 'testhelpers']), 'test'],
  [new Set(['echidna', 'medusa', 'fuzz', 'fuzzing', 'invariant', 'invariants']), 'test'],
  [new Set(['mock', 'mocks', 'harness', 'harnesses', 'certora']), 'mock'],
]
const folderRoles: readonly (readonly [RegExp, Role])[] = [
  [/^(node_modules|\.deps)$/i, 'dependency'],
  [/^scripts?$/i, 'script'],
  // What attacks a contract, or shows its use, is not deployed with it.
  [/^(attacks?|examples?)$/i, 'mock'],
]
const fileRoles: readonly (readonly [RegExp, Role])[] = [
  [/\.t\.sol$/i, 'test'],
  [/\.s\.sol$/i, 'script'],
  [/[a-z0-9](Tester|Test)\.sol$/, 'test'],
  [/(^Mock(?=[A-Z0-9_])|Mocks?\.sol$|Harness\.sol$)/, 'mock'],
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
  const byFolder = parts.slice(0, -1).flatMap((part) => roleIn(folderRoles, part) ?? roleByWords(part) ?? [])
  if (byFolder[0]) return byFolder[0]
  if (project.tests.some(isBelowWord)) return 'test'
  if (project.scripts.some(isBelowWord)) return 'script'
  const byName = file === word ? undefined : roleIn(fileRoles, parts.at(-1) ?? '')
  if (byName) return byName
  return isOutside(file, word, project) ? 'outside' : 'product'
}

/** Beside the folder of sources, though the word holds that folder: a tool of this project does not compile it. */
const isOutside = (file: string, word: string, { sources }: Project): boolean =>
  sources.some((source) => isBelow(source, word)) && !sources.some((source) => isBelow(file, source))

function roleByWords(name: string): Role | undefined {
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())
  return folderWords.find(([known]) => words.some((word) => known.has(word)))?.[1]
}

const roleIn = (roles: typeof folderRoles, name: string): Role | undefined =>
  roles.find(([pattern]) => pattern.test(name))?.[1]
