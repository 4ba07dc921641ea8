import type { Group } from './group.ts'
import type { ListedFinding } from './scan-view.ts'

/** A line of the tree: the head of a group, or a finding. Position and size are those among its siblings. */
export type Row = { group: Group; position: number; size: number } & (
  | { item?: never }
  | {
      item: ListedFinding
      level: 1 | 2
      /** Under a head that names kind and severity, a row names its place instead. */
      isTitled: boolean
    }
)

/** A group of one needs no head: its row says the same. */
export function rowsOf(groups: readonly Group[], folded: ReadonlySet<string>): Row[] {
  return groups.flatMap((group, index): Row[] => {
    const among = { group, position: index + 1, size: groups.length }
    const [first] = group.items
    if (group.items.length === 1 && first) return [{ ...among, item: first, level: 1, isTitled: true }]
    const isTitled = group.items.some(({ finding }) => finding.title !== first?.finding.title)
    const under = folded.has(group.key) ? [] : group.items
    return [
      among,
      ...under.map(
        (item, at): Row => ({ group, item, level: 2, isTitled, position: at + 1, size: group.items.length }),
      ),
    ]
  })
}

export const keyOfRow = (row: Row): string => (row.item ? row.item.key : `group ${row.group.key}`)

/** Where a key leads from a row; null: the tree has no use for it. */
export function targetOf(key: string, from: number, rows: readonly Row[]): number | null {
  const row = rows[from]
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, rows.length - 1)
    case 'ArrowUp':
      return Math.max(from - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    case 'ArrowRight':
      return row && !row.item ? Math.min(from + 1, rows.length - 1) : null
    case 'ArrowLeft':
      return row?.item && row.level === 2 ? rows.findIndex((other) => !other.item && other.group === row.group) : null
    default:
      return null
  }
}
