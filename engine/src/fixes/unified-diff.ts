/** The difference of two texts as `diff -u` writes it; by lines, with three lines around. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const a = before.split('\n')
  const b = after.split('\n')
  const hunks = toHunks(diffLines(a, b))
  if (hunks.length === 0) return ''
  return [`--- ${quote(`a/${path}`)}`, `+++ ${quote(`b/${path}`)}`, ...hunks, ''].join('\n')
}

/** As git writes a name that would end the line, so that `git apply` reads it back. */
const quote = (name: string): string =>
  /[\0-\x1f"\\\x7f]/.test(name)
    ? `"${name.replace(/["\\]/g, '\\$&').replace(/[\0-\x1f\x7f]/g, (unit) => `\\${unit.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
    : name

export interface Line {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** What both begin and end with is left out first; patches are small, so the middle is too. */
export function diffLines(a: readonly string[], b: readonly string[]): Line[] {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ mark: ' ', text }))
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ]
}

/** Longest common subsequence; past this size everything in between is written as replaced. */
const maxCells = 4_000_000

function middle(a: readonly string[], b: readonly string[]): Line[] {
  if (a.length * b.length > maxCells)
    return [...a.map((text): Line => ({ mark: '-', text })), ...b.map((text): Line => ({ mark: '+', text }))]
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = table[i]
    for (let j = b.length - 1; j >= 0; j--)
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  }
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: ' ', text: a[i++] ?? '' })
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ mark: '-', text: a[i++] ?? '' })
    else lines.push({ mark: '+', text: b[j++] ?? '' })
  }
  return lines
}

const around = 3

function toHunks(lines: readonly Line[]): string[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]))
  const ranges: [number, number][] = []
  for (const index of changed) {
    const last = ranges.at(-1)
    if (last && index - last[1] <= around * 2) last[1] = index
    else ranges.push([index, index])
  }
  return ranges.flatMap(([first, last]) => {
    const from = Math.max(0, first - around)
    const part = lines.slice(from, last + around + 1)
    const count = (mark: '-' | '+') => part.filter((line) => line.mark === ' ' || line.mark === mark).length
    const start = (mark: '-' | '+') =>
      lines.slice(0, from).filter((line) => line.mark === ' ' || line.mark === mark).length + 1
    return [
      `@@ -${start('-')},${count('-')} +${start('+')},${count('+')} @@`,
      ...part.map(({ mark, text }) => `${mark}${text}`),
    ]
  })
}
