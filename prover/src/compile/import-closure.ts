/** A file and what it imports, directly or not: the rest of a project need not compile for it. */
import { posix } from 'node:path'
import type { InputFile } from '@assay/engine'

const importText = /^\s*import\b[^'";]*["']([^"']+)["']/gm

export const importClosure = (
  files: readonly InputFile[],
  path: string,
  remappings: readonly string[] = [],
): readonly InputFile[] => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const needed = new Set([path])
  // A set is walked also over what is added on the way.
  for (const from of needed) {
    for (const [, written = ''] of (byPath.get(from)?.text ?? '').matchAll(importText))
      needed.add(resolve(written, from, remappings))
  }
  return files.filter((file) => needed.has(file.path))
}

/** As the compiler does: relative to the importing file, or by the longest remapping that fits. */
const resolve = (written: string, from: string, remappings: readonly string[]): string => {
  if (written.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), written))
  let best = { length: -1, target: written }
  for (const remapping of remappings) {
    const [, context = '', prefix = '', target = ''] = /^(?:([^=:]*):)?([^=]*)=(.*)$/.exec(remapping) ?? []
    if (!from.startsWith(context) || !written.startsWith(prefix) || prefix.length <= best.length) continue
    best = { length: prefix.length, target: target + written.slice(prefix.length) }
  }
  return best.target
}
