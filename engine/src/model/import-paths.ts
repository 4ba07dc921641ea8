/** Which given file an import means. Paths are compared after `.` and `..` are worked out; remappings come first. */

export interface Remapping {
  readonly prefix: string
  readonly target: string
}

/** `context:prefix=target`; the context is not needed to find a file among those given. */
export const readRemappings = (texts: readonly string[]): readonly Remapping[] =>
  texts
    .flatMap((text) => {
      const equals = text.indexOf('=')
      if (equals < 0) return []
      const prefix = text.slice(text.lastIndexOf(':', equals) + 1, equals)
      return prefix === '' ? [] : [{ prefix, target: text.slice(equals + 1) }]
    })
    .sort((a, b) => b.prefix.length - a.prefix.length)

export const normalizePath = (path: string): string => {
  const parts: string[] = []
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** False only where the last parts of two paths differ, whatever their folders are. */
export const mayEndAlike = (a: string, b: string): boolean => {
  const last = a.slice(a.lastIndexOf('/') + 1)
  return last === '' || last.startsWith('.') || a.includes('\\') || b.endsWith(last)
}

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** Usual homes of dependencies: `lib/x/src/A.sol` serves `x/A.sol`. */
const dependencyFolders = ['node_modules/', 'lib/', 'contracts/', 'src/']

export const findImport = <T>(
  path: string,
  importer: string,
  byPath: ReadonlyMap<string, T>,
  remappings: readonly Remapping[],
): T | undefined => {
  if (path.startsWith('./') || path.startsWith('../')) {
    return byPath.get(normalizePath(`${folderOf(importer)}/${path}`))
  }
  for (const { prefix, target } of remappings) {
    if (!path.startsWith(prefix)) continue
    const found = findDirect(target + path.slice(prefix.length), byPath)
    if (found !== undefined) return found
  }
  return (
    findDirect(path, byPath) ?? byPath.get(normalizePath(`${folderOf(importer)}/${path}`)) ?? findBySuffix(path, byPath)
  )
}

const findDirect = <T>(path: string, byPath: ReadonlyMap<string, T>): T | undefined => {
  const normal = normalizePath(path)
  const found = byPath.get(normal)
  if (found !== undefined) return found
  for (const folder of dependencyFolders) {
    const inside = byPath.get(folder + normal)
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Last resort for absolute uploads: the one file whose path ends with all of the import. */
const findBySuffix = <T>(path: string, byPath: ReadonlyMap<string, T>): T | undefined => {
  const suffix = `/${normalizePath(path)}`
  if (suffix.split('/').length < 3) return undefined
  let found: T | undefined
  for (const [candidate, file] of byPath) {
    if (!`/${candidate}`.endsWith(suffix)) continue
    if (found !== undefined) return undefined
    found = file
  }
  return found
}
