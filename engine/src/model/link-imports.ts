/**
 * Gives each file the names it imports. `import "x"` brings everything visible in x, also what x imported, so the scopes
 * depend on each other, in circles too: they grow until nothing changes, which takes two rounds unless imports form
 * long circles.
 */

import type { Declaration, ImportModel } from './declaration.ts'
import { findImport, mayEndAlike, normalizePath, readRemappings } from './import-paths.ts'
import { findKnownFile, findKnownName } from './known-libraries/index.ts'
import type { FileSymbol, Symbols } from './symbols.ts'

const maxRounds = 40

/** What each import means, where the caller knows: path of the importing file → text of the import → path of a given file. */
export type ImportTargets = Readonly<Record<string, Readonly<Record<string, string>>>>

export const linkImports = (
  symbols: Symbols,
  remappingTexts: readonly string[],
  importTargets: ImportTargets = {},
): void => {
  const importing = symbols.files.filter(isImporting)
  if (importing.length === 0) return
  const byPath = new Map(symbols.files.map((file) => [normalizePath(file.path), file]))
  const byGivenPath = new Map(symbols.files.map((file) => [file.path, file]))
  const remappings = readRemappings(remappingTexts)
  // A file that was given alone can only be meant by its own name.
  const isAlone = symbols.files.length === 1 && remappings.length === 0
  const [first = ''] = byPath.keys()
  const canMean = (path: string): boolean => !isAlone || mayEndAlike(path, first)
  for (const file of importing) {
    const imports: ImportModel[] = []
    for (const node of file.unit.members) {
      if (node.kind !== 'ImportDirective') continue
      const known = byGivenPath.get(importTargets[file.path]?.[node.path] ?? '')
      const given = known ?? (canMean(node.path) ? findImport(node.path, file.path, byPath, remappings) : undefined)
      const target = given ?? stubFor(node, symbols)
      if (target === undefined) {
        symbols.report('import-not-found', node, `The import "${node.path}" is not among the given files.`)
      }
      imports.push({ node, target: target === file ? null : (target ?? null) })
    }
    file.imports = imports
    file.scope = new Map<string, readonly Declaration[]>(file.own)
  }
  for (let round = 0; round < maxRounds; round++) {
    let isChanged = false
    for (let i = importing.length - 1; i >= 0; i--) if (importNames(importing[i] as FileSymbol)) isChanged = true
    if (!isChanged) return
  }
}

const isImporting = (file: FileSymbol): boolean => {
  for (const node of file.unit.members) if (node.kind === 'ImportDirective') return true
  return false
}

/** The path of a known library, or failing that the name of one of the symbols requested. */
const stubFor = (node: ImportModel['node'], symbols: Symbols): FileSymbol | undefined => {
  const source =
    findKnownFile(node.path) ??
    node.symbols?.map((symbol) => findKnownName(symbol.name.name)).find((found) => found !== undefined)
  return source === undefined ? undefined : symbols.stubFile(source)
}

const importNames = (file: FileSymbol): boolean => {
  let isChanged = false
  for (const { node, target } of file.imports) {
    if (node.unitAlias !== null) {
      const name = node.unitAlias.name
      if (!file.scope.has(name)) {
        file.scope.set(name, [{ kind: 'module', name, node: node.unitAlias, target }])
        isChanged = true
      }
    } else if (target !== null && node.symbols !== null) {
      for (const { name, alias } of node.symbols) {
        const found = target.scope.get(name.name)
        if (found !== undefined && addNames(file, (alias ?? name).name, found)) isChanged = true
      }
    } else if (target !== null) {
      for (const [name, found] of target.scope) if (addNames(file, name, found)) isChanged = true
    }
  }
  return isChanged
}

const addNames = (file: FileSymbol, name: string, found: readonly Declaration[]): boolean => {
  const known = file.scope.get(name)
  if (known === found) return false
  if (known === undefined) {
    file.scope.set(name, found)
    return true
  }
  const added = found.filter((declaration) => !known.includes(declaration))
  if (added.length === 0) return false
  file.scope.set(name, [...known, ...added])
  return true
}
