import { textTable } from '../text-table.ts'

/** What a walk saw, row by row, and whether anything was other than it must be. */
export interface WalkReport {
  /** Prints what differs; gives a word for the row. */
  compare(of: string, expected: readonly string[], seen: readonly string[]): string
  fail(of: string, why: string): string
  row(cells: Readonly<Partial<Record<Column, string | number | undefined>>>): void
  table(): string
  readonly differences: number
}

const columns = [
  'project',
  'step',
  'sources',
  'KB',
  'zip KB',
  'findings',
  'places',
  'completeness',
  's',
  'verdict',
] as const
type Column = (typeof columns)[number]

export function createReport(): WalkReport {
  const rows: string[][] = []
  let differences = 0
  return {
    compare(of, expected, seen) {
      const missing = expected.filter((line) => !seen.includes(line))
      const more = seen.filter((line) => !expected.includes(line))
      for (const line of missing) console.log(`- ${of}: ${line}`)
      for (const line of more) console.log(`+ ${of}: ${line}`)
      differences += missing.length + more.length
      return missing.length + more.length === 0 ? 'same' : `${missing.length} missing, ${more.length} more`
    },
    fail(of, why) {
      console.log(`! ${of}: ${why}`)
      differences++
      return why
    },
    row: (cells) => void rows.push(columns.map((column) => String(cells[column] ?? ''))),
    table: () => textTable(columns, rows),
    get differences() {
      return differences
    },
  }
}
