import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Report } from '@assay/engine'
import type { Io } from '../io.ts'
import { build, version } from '../version.ts'
import type { FileResult } from './outcome.ts'
import type { Program } from './programs.ts'
import type { RunOptions } from './run-options.ts'

/** What is cached of a program: the reports of its files, or what they come to when nothing is left out of them. */
export interface Kept {
  readonly reports: Report
  readonly results: FileResult
  /** What the engine keeps of each partition, by its key: of use also when files have changed. */
  readonly parts: readonly [key: string, entry: string]
}

/** What became of programs that were scanned before, by the hash of all that went into the scan. */
export interface Cache {
  find<Kind extends keyof Kept>(kind: Kind, program: Program, options: RunOptions): Kept[Kind][] | undefined
  has(kind: keyof Kept, program: Program, options: RunOptions): boolean
  keep<Kind extends keyof Kept>(kind: Kind, program: Program, options: RunOptions, kept: readonly Kept[Kind][]): void
}

const maxBytes = 128 * 1024 * 1024
/** Removing down to this leaves room, so that not every scan has to remove something. */
const keptBytes = maxBytes * 0.75

/** `ASSAY_CACHE_DIR`, else the system's folder for what may be deleted. */
export function cacheFolder(environment: Io['environment'], platform = process.platform): string {
  if (environment.ASSAY_CACHE_DIR) return environment.ASSAY_CACHE_DIR
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, 'assay')
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'assay')
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'assay')
  return join(home, '.cache', 'assay')
}

/** A cache in this folder. Whatever goes wrong with it, a scan only becomes slower. */
export function openCache(folder: string): Cache {
  let isFirst = true
  return {
    find(kind, program, options) {
      const file = join(folder, keyOf(kind, program, options))
      try {
        const kept = decode(readFileSync(file))
        const now = new Date()
        // The time of the last use decides what goes when there is too much.
        utimesSync(file, now, now)
        return kept as never[]
      } catch {
        return undefined
      }
    },
    has: (kind, program, options) => existsSync(join(folder, keyOf(kind, program, options))),
    keep(kind, program, options, kept) {
      const file = join(folder, keyOf(kind, program, options))
      const unfinished = `${file}.${process.pid}`
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (isFirst) prune(folder)
        isFirst = false
        writeFileSync(unfinished, encode(kept), { mode: 0o600 })
        // Others may read at the same time: they see all of it or nothing.
        renameSync(unfinished, file)
      } catch {
        discard(unfinished)
      }
    },
  }
}

export const noCache: Cache = { find: () => undefined, has: () => false, keep: () => {} }

function keyOf(kind: keyof Kept, { files, reported, importTargets }: Program, options: RunOptions): string {
  const hash = createHash('sha256')
  const paths = files.map(({ path }) => path)
  // Partitions know themselves what they were made from, whichever files are reported.
  if (kind === 'parts') return hash.update(JSON.stringify([version, build, kind, paths.sort()])).digest('hex')
  return hash
    .update(JSON.stringify([version, build, kind, options, reported, importTargets, paths, digestOf(files)]))
    .digest('hex')
}

/** Read for several kinds and twice for each: the texts are megabytes. */
const digests = new WeakMap<Program['files'], string>()

function digestOf(files: Program['files']): string {
  const known = digests.get(files)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  // Lengths first: two texts must not be mistaken for another two that read the same in a row.
  for (const { text } of files) hash.update(`\0${text.length}\0`).update(text)
  const digest = hash.digest('hex')
  digests.set(files, digest)
  return digest
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The folder itself is none.
  }
}

const digestLength = 32

/** With a digest in front: half a file, or one of another kind, is nothing. */
function encode(kept: readonly unknown[]): Buffer {
  const body = deflateRawSync(JSON.stringify(kept), { level: 1 })
  return Buffer.concat([createHash('sha256').update(body).digest(), body])
}

function decode(bytes: Buffer): unknown[] {
  const body = bytes.subarray(digestLength)
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(0, digestLength))) throw new Error('damaged')
  return JSON.parse(inflateRawSync(body).toString())
}

/** Removes what was not used for longest. */
export function prune(folder: string, limit = maxBytes, kept = keptBytes): void {
  const entries = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const info = statSync(path, { throwIfNoEntry: false })
    return info?.isFile() ? [{ path, size: info.size, used: info.mtimeMs }] : []
  })
  let total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total <= limit) return
  for (const { path, size } of entries.sort((a, b) => a.used - b.used)) {
    if (total <= kept) return
    rmSync(path, { force: true })
    total -= size
  }
}
