import { createHash } from 'node:crypto'
import type { Memory } from '@assay/engine'
import type { Cache } from './cache.ts'
import type { Program } from './programs.ts'
import type { RunOptions } from './run-options.ts'

/** Suppression comments are applied to the findings of partitions afterwards: the entries are the same with and without. */
const options: RunOptions = { suppressions: 'honour' }

export interface PartCache {
  readonly memory: Memory
  /** Writes what the scan used, and as much again of what it did not: an edit may be undone. */
  keep(): void
}

/** What the engine keeps of the partitions of a program. */
export function openParts(cache: Cache, program: Program): PartCache {
  const known = new Map(cache.find('parts', program, options))
  const used = new Map<string, string>()
  let isChanged = false
  return {
    memory: {
      digest: (text) => createHash('sha256').update(text).digest('base64'),
      find(key) {
        const entry = known.get(key)
        if (entry !== undefined) used.set(key, entry)
        return entry
      },
      keep(key, entry) {
        isChanged = true
        used.set(key, entry)
      },
    },
    keep() {
      if (!isChanged) return
      const unused = [...known].filter(([key]) => !used.has(key))
      // The latest are the last.
      cache.keep('parts', program, options, [...unused.slice(-used.size), ...used])
    },
  }
}
