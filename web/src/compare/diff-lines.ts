/** A line of both texts, of the old one alone, or of the new one alone; numbers are 1-based. */
export type DiffRow =
  | { kind: 'same'; before: number; after: number; text: string }
  | { kind: 'gone'; before: number; text: string }
  | { kind: 'new'; after: number; text: string }

/** Past so many edits the middle is shown as replaced: a finer answer would help nobody, and its cost grows with the square. */
const mostEdits = 400

/** The shortest way from one text to the other, line by line (Myers, "An O(ND) Difference Algorithm", 1986). */
export function diffLines(before: readonly string[], after: readonly string[]): DiffRow[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const same = (index: number, shift: number): DiffRow => ({
    kind: 'same',
    before: index + 1,
    after: index + shift + 1,
    text: before[index] ?? '',
  })
  const shift = after.length - before.length
  return [
    ...Array.from({ length: start }, (_, index) => same(index, 0)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end), start),
    ...Array.from({ length: end }, (_, index) => same(before.length - end + index, shift)),
  ]
}

function diffMiddle(before: readonly string[], after: readonly string[], offset: number): DiffRow[] {
  const path = shortestPath(before, after)
  const gone = (x: number): DiffRow => ({ kind: 'gone', before: offset + x + 1, text: before[x] ?? '' })
  const fresh = (y: number): DiffRow => ({ kind: 'new', after: offset + y + 1, text: after[y] ?? '' })
  if (path === null) return [...before.map((_, x) => gone(x)), ...after.map((_, y) => fresh(y))]
  const rows: DiffRow[] = []
  let x = 0
  let y = 0
  for (const [nextX, nextY] of path) {
    while (x < nextX && y < nextY && before[x] === after[y]) {
      rows.push({ kind: 'same', before: offset + x + 1, after: offset + y + 1, text: before[x] ?? '' })
      x++
      y++
    }
    while (x < nextX) rows.push(gone(x++))
    while (y < nextY) rows.push(fresh(y++))
  }
  return rows
}

/** The points where the way turns, from the start to the end; null when it has more than `mostEdits` edits. */
function shortestPath(before: readonly string[], after: readonly string[]): [number, number][] | null {
  const most = Math.min(before.length + after.length, mostEdits)
  const furthest = new Map<number, number>([[1, 0]])
  const trails: Map<number, number>[] = []
  for (let edits = 0; edits <= most; edits++) {
    trails.push(new Map(furthest))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepTo(furthest, diagonal, edits)
      let y = x - diagonal
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++
        y++
      }
      furthest.set(diagonal, x)
      if (x >= before.length && y >= after.length) return walkBack(trails, before.length, after.length)
    }
  }
  return null
}

/** One edit further on a diagonal: down from the one above, or right from the one below. */
function stepTo(furthest: Map<number, number>, diagonal: number, edits: number): number {
  const left = furthest.get(diagonal - 1) ?? -1
  const up = furthest.get(diagonal + 1) ?? -1
  return diagonal === -edits || (diagonal !== edits && left < up) ? up : left + 1
}

function walkBack(trails: readonly Map<number, number>[], endX: number, endY: number): [number, number][] {
  const points: [number, number][] = [[endX, endY]]
  let x = endX
  let y = endY
  for (let edits = trails.length - 1; edits > 0; edits--) {
    const trail = trails[edits] as Map<number, number>
    const diagonal = x - y
    const left = trail.get(diagonal - 1) ?? -1
    const up = trail.get(diagonal + 1) ?? -1
    const from = diagonal === -edits || (diagonal !== edits && left < up) ? diagonal + 1 : diagonal - 1
    const fromX = trail.get(from) ?? 0
    const fromY = fromX - from
    // After the edit the way runs down the diagonal: the turn is where the edit ends.
    points.push(from > diagonal ? [fromX, fromY + 1] : [fromX + 1, fromY], [fromX, fromY])
    x = fromX
    y = fromY
  }
  return points.reverse()
}
