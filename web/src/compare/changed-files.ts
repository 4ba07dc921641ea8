import type { ViewSource } from '../result/scan-view.ts'

export interface ChangedFile {
  path: string
  /** Empty where the file is new. */
  before: string
  /** Empty where the file is gone. */
  after: string
}

/** The files whose text differs, by path. A single file is the same file, whatever it was called. */
export function changedFiles(before: readonly ViewSource[], after: readonly ViewSource[]): ChangedFile[] {
  const [old, now] = [before[0], after[0]]
  if (before.length === 1 && after.length === 1 && old && now)
    return old.text === now.text ? [] : [{ path: now.path, before: old.text, after: now.text }]
  const texts = new Map(before.map(({ path, text }) => [path, text]))
  const kept = new Set(after.map(({ path }) => path))
  return [
    ...after.map(({ path, text }) => ({ path, before: texts.get(path) ?? '', after: text })),
    ...before.filter(({ path }) => !kept.has(path)).map(({ path, text }) => ({ path, before: text, after: '' })),
  ]
    .filter((file) => file.before !== file.after)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}
