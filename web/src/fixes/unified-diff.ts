import { type DiffRow, diffLines } from '../compare/diff-lines.ts'

const context = 3

/** What comes after the last line break is a line only if it has text. */
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** The changed lines with some around them, in hunks. */
export function hunksOf(before: string, after: string): DiffRow[][] {
  const rows = diffLines(linesOf(before), linesOf(after))
  const isNear = rows.map((_, at) =>
    rows.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const hunks: DiffRow[][] = []
  rows.forEach((row, at) => {
    if (!isNear[at]) return
    if (at === 0 || !isNear[at - 1]) hunks.push([])
    hunks.at(-1)?.push(row)
  })
  return hunks
}

const sign = { same: ' ', gone: '-', new: '+' } as const

/** A patch that `git apply` takes. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const parts = hunksOf(before, after).map((hunk) => {
    const old = hunk.filter(({ kind }) => kind !== 'new')
    const fresh = hunk.filter(({ kind }) => kind !== 'gone')
    const from = (rows: readonly DiffRow[], side: 'before' | 'after'): number => {
      const [first] = rows
      return first && side in first ? (first as unknown as Record<typeof side, number>)[side] : 0
    }
    return [
      `@@ -${from(old, 'before')},${old.length} +${from(fresh, 'after')},${fresh.length} @@`,
      ...hunk.map(({ kind, text }) => `${sign[kind]}${text}`),
    ]
  })
  return [`--- a/${path}`, `+++ b/${path}`, ...parts.flat(), ''].join('\n')
}
