import { createHash } from 'node:crypto'
import type { Memory } from '@assay/engine'
import type { Cache } from './cache.ts'
import type { Program } from './programs.ts'
import type { RunOptions } from './run-options.ts'

/** Suppression comments are applied to the findings of partitions afterwards: the entries are the same with and without. */
export const partOptions: RunOptions = { suppressions: 'honour' }

export interface PartCache {
  readonly memory: Memory
  /** Takes over what another thread found out. */
  add(key: string, entry: string): void
  /** Writes what the scan used, and as much again of what it did not: an edit may be undone. */
  keep(): void
}

/** What the engine keeps of the partitions of a program. */
export function openParts(cache: Cache, program: Program): PartCache {
  const known = new Map(cache.find('parts', program, partOptions))
  const used = new Map<string, string>()
  let isChanged = false
  const add = (key: string, entry: string): void => {
    isChanged = true
    used.set(key, entry)
  }
  return {
    add,
    memory: {
      digest: (text) => createHash('sha256').update(text).digest('base64'),
      find(key) {
        const entry = used.get(key) ?? known.get(key)
        if (entry !== undefined) used.set(key, entry)
        return entry
      },
      keep: add,
    },
    keep() {
      if (!isChanged) return
      const unused = [...known].filter(([key]) => !used.has(key))
      // The latest are the last.
      cache.keep('parts', program, partOptions, [...unused.slice(-used.size), ...used])
    },
  }
}
