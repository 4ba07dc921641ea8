import { stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Io } from '../io.ts'
import { isReadable, type Readable, readSource } from './read-source.ts'

export interface Following {
  readonly folder: string
  /** `prefix=target` with targets relative to the folder. */
  readonly remappings: readonly string[]
}

/** More than this many imported files are a sign of a whole dependency tree; the rest stays unresolved. */
export const maxImportedFiles = 1000

/**
 * The files that the given ones import and that lie on this disk: by relative path, by a remapping, or by a path from
 * the working folder. They are read so that the given files are understood, and are not reported themselves.
 */
export async function followImports(given: readonly Readable[], following: Following, io: Io): Promise<Readable[]> {
  const known = new Set(given.map(({ path }) => resolve(following.folder, path)))
  const imported: Readable[] = []
  let wave: readonly Readable[] = given
  while (wave.length > 0 && imported.length < maxImportedFiles) {
    const next: Readable[] = []
    for (const location of await findImported(wave, following)) {
      if (known.has(location) || imported.length + next.length >= maxImportedFiles) continue
      known.add(location)
      const path = relative(following.folder, location).split(sep).join('/')
      const source = await readSource({ path, location }, io)
      if (isReadable(source)) next.push(source)
    }
    imported.push(...next)
    wave = next
  }
  return imported
}

async function findImported(files: readonly Readable[], following: Following): Promise<string[]> {
  const found: string[] = []
  for (const file of files) {
    for (const wanted of importsOf(file.text)) {
      for (const candidate of candidatesFor(wanted, file, following)) {
        if (!(await stat(candidate).catch(() => undefined))?.isFile()) continue
        found.push(candidate)
        break
      }
    }
  }
  return found
}

function candidatesFor(wanted: string, { path }: Readable, { folder, remappings }: Following): string[] {
  if (/^\.{1,2}\//.test(wanted)) return [resolve(folder, dirname(path), wanted)]
  const mapped = remappings
    .map((line) => ({
      prefix: line.slice(line.indexOf(':') + 1, line.indexOf('=')),
      target: line.slice(line.indexOf('=') + 1),
    }))
    .filter(({ prefix }) => wanted.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .map(({ prefix, target }) => resolve(folder, target + wanted.slice(prefix.length)))
  return [...mapped, resolve(folder, wanted)]
}

const stringOrComment = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const importPath = /\bimport\b[^'";]*["']([^"'\n]+)["']/g

/** Paths of the import directives; the engine reads them properly, this only has to miss none. */
export function importsOf(text: string): string[] {
  if (!text.includes('import')) return []
  const code = text.replace(stringOrComment, (match) => (match.startsWith('/') ? ' ' : match))
  return [...code.matchAll(importPath)].map((match) => match[1] ?? '')
}
