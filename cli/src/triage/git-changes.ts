import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Complaint } from '../io.ts'

/** A Solidity file that differs from a commit. */
export interface ChangedFile {
  /** Absolute. */
  readonly location: string
  /** What it said then; undefined when it was not there. */
  readonly before: string | undefined
  /** First and last line of each part that is new or different. */
  readonly lines: readonly (readonly [first: number, last: number])[]
}

const maxBytes = 64 * 1024 * 1024

/** What has changed since a commit, in the working tree and not only in what is committed. */
export async function findChanges(folder: string, ref: string): Promise<ChangedFile[]> {
  // A name that looks like an option would be taken for one.
  if (ref.startsWith('-')) throw new Complaint(`--diff ${ref}: it must name a commit.`)
  const root = (await git(folder, ref, ['rev-parse', '--show-toplevel'])).trim()
  await git(root, ref, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  const status = await git(root, ref, ['diff', '--name-status', '-M', '-z', ref, '--', '*.sol'])
  const changed = parseStatus(status).filter(({ kind }) => kind !== 'D')
  const untracked = (await git(root, ref, ['ls-files', '--others', '--exclude-standard', '-z', '--', '*.sol'])).split(
    '\0',
  )
  const known = await Promise.all(changed.map((file) => readChange(root, ref, file)))
  const fresh = untracked
    .filter(Boolean)
    .map((path) => ({ location: join(root, path), before: undefined, lines: everything }))
  return [...known, ...fresh]
}

const everything: ChangedFile['lines'] = [[1, Number.POSITIVE_INFINITY]]

interface Status {
  readonly kind: string
  readonly before: string
  readonly path: string
}

/** `M\0path\0`, `R087\0old\0new\0`. */
function parseStatus(text: string): Status[] {
  const words = text.split('\0')
  const found: Status[] = []
  for (let at = 0; at + 1 < words.length; ) {
    const kind = (words[at] ?? '')[0] ?? ''
    const before = words[at + 1] ?? ''
    const isPair = kind === 'R' || kind === 'C'
    found.push({ kind, before, path: isPair ? (words[at + 2] ?? '') : before })
    at += isPair ? 3 : 2
  }
  return found
}

async function readChange(root: string, ref: string, { kind, before, path }: Status): Promise<ChangedFile> {
  const location = join(root, path)
  if (kind === 'A') return { location, before: undefined, lines: everything }
  const old = await git(root, ref, ['show', `${ref}:${before}`])
  const patch = await git(root, ref, [
    'diff',
    '-M',
    '--unified=0',
    '--no-color',
    '--no-ext-diff',
    ref,
    '--',
    before,
    path,
  ])
  return { location, before: old, lines: parseHunks(patch) }
}

/** `@@ -1,2 +3,4 @@`: the new side; where only something was removed, the lines around it. */
export function parseHunks(patch: string): [number, number][] {
  return [...patch.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => {
    const first = Number(start)
    const length = count === undefined ? 1 : Number(count)
    return length === 0 ? [first, first + 1] : [first, first + length - 1]
  })
}

async function git(folder: string, ref: string, words: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...words], { maxBuffer: maxBytes })
    return stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw new Complaint('--diff needs git, which is not installed.')
    const reason = stderr?.trim().split('\n')[0] || 'there is no such commit'
    throw new Complaint(`--diff ${ref}: ${reason}.`)
  }
}
