/**
 * Sources of the libraries that contracts import most, where the given files lack them. Which release was meant shows in nothing but
 * the line of the compiler and the files that there are, so the releases that fit are tried one after the other.
 */
import type { InputFile } from '@assay/engine'
import type { CompilerLine, Compilers } from '../packages.ts'
import { closureOf, importsOf } from './import-closure.ts'

/** The releases of libraries that one compilation may use together: package by family. */
export interface LibrarySet {
  readonly name: string
  readonly openzeppelin: string
  readonly upgradeable: string | null
}

const set = (name: string, openzeppelin: string, upgradeable: string | null = null): LibrarySet => ({
  name,
  openzeppelin,
  upgradeable,
})

const setsByLine: Record<CompilerLine, readonly LibrarySet[]> = {
  4: [set('OpenZeppelin 1.12.0', 'openzeppelin-1')],
  5: [set('OpenZeppelin 2.5.1', 'openzeppelin-2')],
  6: [set('OpenZeppelin 3.4.2', 'openzeppelin-3', 'openzeppelin-upgradeable-3')],
  7: [set('OpenZeppelin 3.4.2-solc-0.7', 'openzeppelin-3-solc-0.7')],
  8: [
    set('OpenZeppelin 4.9.6', 'openzeppelin-4', 'openzeppelin-upgradeable-4'),
    set('OpenZeppelin 5.4.0', '@openzeppelin/contracts', 'openzeppelin-upgradeable-5'),
  ],
}

const families: readonly { readonly pattern: RegExp; packageOf(from: LibrarySet): string | null; folder?: string }[] = [
  {
    pattern:
      /(?:^|\/)(?:@openzeppelin\/contracts-upgradeable(?:@[^/]+)?|openzeppelin-(?:contracts-)?upgradeable(?:\/contracts)?)\/(.+)$/,
    packageOf: ({ upgradeable }) => upgradeable,
  },
  {
    pattern:
      /(?:^|\/)(?:@openzeppelin\/contracts(?:@[^/]+)?|(?:open)?zeppelin-solidity\/contracts|openzeppelin-contracts(?:-v?[\d.]+)?(?:\/contracts)?)\/(.+)$/,
    packageOf: ({ openzeppelin }) => openzeppelin,
  },
  {
    pattern: /^https:\/\/github\.com\/OpenZeppelin\/[\w-]+\/(?:blob|tree)\/[^/]+\/contracts\/(.+)$/i,
    packageOf: ({ openzeppelin }) => openzeppelin,
  },
  { pattern: /(?:^|\/)solmate\/(?:src\/)?(.+)$/, packageOf: () => 'solmate', folder: 'src' },
]

const readFrom = (packages: Compilers, from: LibrarySet, path: string): InputFile | undefined => {
  for (const { pattern, packageOf, folder } of families) {
    const inside = pattern.exec(path)?.[1]
    const name = inside && packageOf(from)
    if (!name) continue
    // Before its second release the sources stood in a folder of their own.
    const root = folder ?? (name === 'openzeppelin-1' ? 'contracts' : '')
    const text = packages.source(name, root ? `${root}/${inside}` : inside)
    if (text !== undefined) return { path, text }
  }
  return undefined
}

/** What the files import and do not hold. */
export const missingImports = (files: readonly InputFile[], remappings: readonly string[] = []): string[] => {
  const given = new Set(files.map(({ path }) => path))
  return [...new Set(files.flatMap((file) => importsOf(file, remappings)))].filter((path) => !given.has(path))
}

export interface Libraries {
  readonly name: string
  readonly files: readonly InputFile[]
}

/** The ways to complete the files: one for each release that holds all that is missing. */
export const librariesFor = (
  files: readonly InputFile[],
  line: CompilerLine,
  packages: Compilers,
  remappings: readonly string[] = [],
): Libraries[] => {
  return completions(files, line, packages, remappings).flatMap(({ libraries, lacking }) =>
    lacking.length === 0 ? [libraries] : [],
  )
}

/** Imports that neither the files nor any release of a known library has: of the release that lacks least. */
export const unresolvedImports = (
  files: readonly InputFile[],
  line: CompilerLine,
  packages: Compilers,
  remappings: readonly string[] = [],
): readonly string[] => {
  const all = completions(files, line, packages, remappings).map(({ lacking }) => lacking)
  return all.sort((a, b) => a.length - b.length)[0] ?? []
}

interface Completion {
  readonly libraries: Libraries
  /** What is imported and still not there. */
  readonly lacking: readonly string[]
}

const completions = (
  files: readonly InputFile[],
  line: CompilerLine,
  packages: Compilers,
  remappings: readonly string[],
): Completion[] => {
  const missing = missingImports(files, remappings)
  if (missing.length === 0) return []
  return setsByLine[line].map((from) => {
    const found = new Map<string, InputFile>()
    for (const path of missing)
      for (const file of closureOf(path, (wanted) => readFrom(packages, from, wanted), remappings))
        found.set(file.path, file)
    const lacking = missingImports([...files, ...found.values()], remappings)
    return { libraries: { name: from.name, files: [...found.values()] }, lacking }
  })
}

/** The library files of a compilation, by the name that its evidence carries. */
export const librariesNamed = (
  name: string,
  files: readonly InputFile[],
  packages: Compilers,
  remappings: readonly string[] = [],
): readonly InputFile[] => {
  for (const line of Object.keys(setsByLine).map(Number) as CompilerLine[]) {
    const found = librariesFor(files, line, packages, remappings).find((each) => each.name === name)
    if (found) return found.files
  }
  return []
}
