import type { Io } from '../io.ts'
import type { ResolveImport } from '../project/resolve-import.ts'
import { shownPath } from './collect-files.ts'
import type { FoundSource } from './read-source.ts'
import { isReadable, readSource } from './read-source.ts'

/** The files of one program, and what each of their imports means. */
export interface Followed {
  readonly imported: readonly FoundSource[]
  /** Path of the importing file → text of the import → path of the file that it means. */
  readonly targets: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly missing: readonly MissingImport[]
}

export interface MissingImport {
  readonly path: string
  readonly wanted: string
}

/** More than this many imported files are a sign of something else than a program; the rest stays unresolved. */
export const maxImportedFiles = 5000

/**
 * The files that the given ones import and that lie on this disk. They are read so that the given files are understood,
 * and are not reported themselves.
 */
export async function followImports(
  given: readonly FoundSource[],
  resolve: ResolveImport,
  io: Io,
  unsaved?: ReadonlyMap<string, string>,
): Promise<Followed> {
  const paths = new Map(given.map(({ location, path }) => [location, path]))
  const targets: Record<string, Record<string, string>> = {}
  const missing: MissingImport[] = []
  const imported: FoundSource[] = []
  let wave: readonly FoundSource[] = given
  while (wave.length > 0) {
    const next: FoundSource[] = []
    for (const file of wave) {
      for (const wanted of importsOf(file.text)) {
        const location = resolve(wanted, file.location)
        if (location === undefined) missing.push({ path: file.path, wanted })
        else if (!paths.has(location) && paths.size < given.length + maxImportedFiles) {
          const path = shownPath(location, io.folder)
          paths.set(location, path)
          const source = await readSource({ path, location }, io, unsaved)
          if (isReadable(source)) next.push({ ...source, location })
        }
        const path = location === undefined ? undefined : paths.get(location)
        if (path !== undefined) {
          targets[file.path] = { ...targets[file.path], [wanted]: path }
        }
      }
    }
    imported.push(...next)
    wave = next
  }
  return { imported, targets, missing }
}

// An end that is missing is matched too: a text full of beginnings would be searched to its end from each of them.
const stringOrComment = /"(?:\\.|[^"\\\n])*["\\\n]?|'(?:\\.|[^'\\\n])*['\\\n]?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const importOrPath = /\bimport\b|;|"([^"\n]+)"|'([^'\n]+)'/g

/** Paths of the import directives; the engine reads them properly, this only has to miss none. */
export function importsOf(text: string): string[] {
  if (!text.includes('import')) return []
  const code = text.replace(stringOrComment, (match) => (match.startsWith('/') ? ' ' : match))
  const paths: string[] = []
  let isInImport = false
  for (const [match, double, single] of code.matchAll(importOrPath)) {
    const path = double ?? single
    if (isInImport && path !== undefined) paths.push(path)
    isInImport = match === 'import'
  }
  return paths
}
