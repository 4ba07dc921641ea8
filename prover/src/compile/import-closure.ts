/** A file and what it imports, directly or not: the rest of a project need not compile for it. */
import { posix } from 'node:path'
import type { InputFile } from '@assay/engine'

const importText = /^\s*import\b[^'";]*["']([^"']+)["']/gm

/** The file and those that it imports, each behind what it imports itself, as a single file needs its bases. */
export const importClosure = (
  files: readonly InputFile[],
  path: string,
  remappings: readonly string[] = [],
): readonly InputFile[] => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return closureOf(path, (wanted) => byPath.get(wanted), remappings)
}

/** The same, no matter who keeps the files. */
export const closureOf = (
  path: string,
  read: (path: string) => InputFile | undefined,
  remappings: readonly string[],
): InputFile[] => {
  const seen = new Set<string>()
  const ordered: InputFile[] = []
  const visit = (wanted: string): void => {
    if (seen.has(wanted)) return
    seen.add(wanted)
    const file = read(wanted)
    if (!file) return
    for (const target of importsOf(file, remappings)) visit(target)
    ordered.push(file)
  }
  visit(path)
  return ordered
}

/** Where the imports of a file lead, as the compiler sees it. */
export const importsOf = ({ path, text }: InputFile, remappings: readonly string[] = []): string[] =>
  [...text.matchAll(importText)].map(([, written = '']) => resolve(written, path, remappings))

/** As the compiler does: relative to the importing file, or by the longest remapping that fits. */
const resolve = (written: string, from: string, remappings: readonly string[]): string => {
  if (written.startsWith('.')) return joinUrl(posix.dirname(from), written)
  let best = { length: -1, target: written }
  for (const remapping of remappings) {
    const [, context = '', prefix = '', target = ''] = /^(?:([^=:]*):)?([^=]*)=(.*)$/.exec(remapping) ?? []
    if (!from.startsWith(context) || !written.startsWith(prefix) || prefix.length <= best.length) continue
    best = { length: prefix.length, target: target + written.slice(prefix.length) }
  }
  return best.target
}

/** An address keeps both strokes behind its scheme. */
const joinUrl = (folder: string, written: string): string =>
  posix.normalize(posix.join(folder, written)).replace(/^(https?):\/(?!\/)/, '$1://')
