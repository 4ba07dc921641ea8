import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { diffLines } from '@assay/engine/results'
import { realPath } from '../project/boundary.ts'
import { type Commit, openCommit } from './git-commit.ts'

/** A Solidity file that differs from a commit. */
export interface ChangedFile {
  /** Absolute. */
  readonly location: string
  /** What it said then; undefined when it was not there. */
  readonly before: string | undefined
  /** First and last line of each part that is new or different. */
  readonly lines: readonly (readonly [first: number, last: number])[]
}

interface Current {
  readonly location: string
  readonly text: string
}

/** Which of the files have changed since a commit, in the working tree and not only in what is committed. */
export async function findChanges(folder: string, ref: string, files: readonly Current[]): Promise<ChangedFile[]> {
  const commit = await openCommit(folder, ref, `--diff ${ref}`)
  const known = files.map((file) => ({ ...file, path: pathIn(commit, file.location) }))
  const there = known.filter(({ path, text }) => !isSame(commit.files.get(path), text))
  const fresh = there.filter(({ path }) => !commit.files.has(path))
  const ignored = await commit.ignored(fresh.map(({ path }) => path))
  const gone = [...commit.files].filter(([path]) => fresh.length > 0 && !existsSync(join(commit.root, path)))
  const ids = there.flatMap(({ path }) => commit.files.get(path) ?? [])
  const texts = await commit.read([...new Set([...ids, ...gone.map(([, id]) => id)])])
  const moved = findMoved(
    fresh.map(({ text }) => text),
    gone.flatMap(([, id]) => texts.get(id) ?? []),
  )
  return there
    .filter(({ path }) => !ignored.has(path) && !path.startsWith('../'))
    .flatMap(({ location, path, text }): ChangedFile[] => {
      const before = texts.get(commit.files.get(path) ?? '') ?? moved.get(text)
      if (before === undefined) return [{ location, before, lines: everything }]
      const lines = changedLines(before, text)
      return lines.length === 0 && commit.files.has(path) ? [] : [{ location, before, lines }]
    })
}

const everything: ChangedFile['lines'] = [[1, Number.POSITIVE_INFINITY]]

const pathIn = ({ root }: Commit, location: string): string => relative(root, realPath(location)).split(sep).join('/')

/** By git's own id of a text. */
function isSame(id: string | undefined, text: string): boolean {
  if (id === undefined) return false
  const bytes = Buffer.from(text)
  return (
    createHash(id.length === 40 ? 'sha1' : 'sha256')
      .update(`blob ${bytes.length}\0`)
      .update(bytes)
      .digest('hex') === id
  )
}

/** New texts by those of vanished files that have at least half of their lines; the most alike first, each once. */
function findMoved(fresh: readonly string[], gone: readonly string[]): Map<string, string> {
  const pairs = fresh.flatMap((text) => gone.map((before) => ({ text, before, share: shareOf(before, text) })))
  const moved = new Map<string, string>()
  const taken = new Set<string>()
  for (const { text, before, share } of pairs.sort((a, b) => b.share - a.share)) {
    if (share < 0.5 || moved.has(text) || taken.has(before)) continue
    moved.set(text, before)
    taken.add(before)
  }
  return moved
}

function shareOf(before: string, after: string): number {
  const own = new Set(linesOf(before))
  const lines = linesOf(after)
  return lines.filter((line) => own.has(line)).length / Math.max(lines.length, own.size)
}

const linesOf = (text: string): string[] => text.split(/\r?\n/)

/** Parts of the new text that are not in the old one; where only something was removed, the lines around it. */
export function changedLines(before: string, after: string): [number, number][] {
  const ranges: [number, number][] = []
  let line = 0
  let open: [number, number] | undefined
  // How a checkout ends its lines is no change.
  for (const { mark } of diffLines(linesOf(before), linesOf(after))) {
    if (mark !== '-') line++
    if (mark === ' ') {
      open = undefined
      continue
    }
    if (!open) {
      open = mark === '+' ? [line, line] : [Math.max(1, line), line + 1]
      ranges.push(open)
    } else if (mark === '+') open[1] = Math.max(open[1], line)
  }
  return ranges
}
