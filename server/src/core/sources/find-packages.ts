/** The one folder in which Hardhat and forge have a project's own sources by default. */
const ownFolder = /^(contracts|src)$/
/** Beside it by habit, and never the name of a package. */
const besideIt = /^interfaces$/
const importTokens = /\bimport\b|;|["']([^"'\n]*)["']/g

/**
 * The folders of a compiler's input that are packages. It names the sources of a package by the package's own name (`base64-sol/base64.sol`), as
 * if it were a folder of the project; what tells them apart is how they are reached: the project's own sources lie in one folder, and from
 * there a package is imported by its name, while it never imports the project. Where there is no such folder nobody can tell, and nothing is taken
 * for a package.
 */
export function findPackages(sources: readonly { readonly path: string; readonly bytes: Uint8Array }[]): string[] {
  const importedBy = new Map<string, Set<string>>()
  const folders = new Set(sources.flatMap(({ path }) => topFolder(path) ?? []))
  if (![...folders].some((folder) => ownFolder.test(folder))) return []
  for (const { path, bytes } of sources) {
    const from = topFolder(path) ?? ''
    for (const target of importedFolders(bytes)) {
      if (target === from || !folders.has(target)) continue
      const importers = importedBy.get(target) ?? new Set()
      importedBy.set(target, importers.add(from))
    }
  }
  const isOwn = (folder: string): boolean => ownFolder.test(folder)
  const imports = (from: string, isWanted: (folder: string) => boolean): boolean =>
    [...importedBy].some(([target, importers]) => isWanted(target) && importers.has(from))
  return [...folders].filter(
    (folder) => !isOwn(folder) && !besideIt.test(folder) && importedBy.has(folder) && !imports(folder, isOwn),
  )
}

const topFolder = (path: string): string | undefined => {
  const slash = path.indexOf('/')
  return slash < 0 ? undefined : path.slice(0, slash)
}

/** Of imports that name a file from the top. */
function* importedFolders(bytes: Uint8Array): Generator<string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  let isImport = false
  for (const [token, path] of text.matchAll(importTokens)) {
    const folder = isImport && path !== undefined && !path.startsWith('.') ? topFolder(path) : undefined
    if (folder) yield folder
    isImport = token === 'import'
  }
}
