import type { GraphView, View } from './views.ts'

const maxCell = 60

/** A view for a terminal: tables in columns, graphs as a tree of who leads to whom. */
export const drawText = (view: View): string =>
  view.kind === 'table' ? drawTable(view.title, [view.columns, ...view.rows]) : drawTree(view)

function drawTable(title: string, rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => (cell.length > maxCell ? `${cell.slice(0, maxCell - 1)}…` : cell)))
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => (row[column] ?? '').length)))
  const lines = shown.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
  if (lines.length === 1) lines.push('  (none)')
  return `${title}\n${lines.join('\n')}\n`
}

/** Each node once with its children; where it comes up again only its name. */
function drawTree({ title, nodes, edges }: GraphView): string {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  const reached = new Set(edges.map(({ to }) => to))
  const roots = nodes.filter(({ id }) => !reached.has(id))
  const seen = new Set<string>()
  const lines: string[] = []
  const draw = (id: string, depth: number, when = ''): void => {
    const children = edges.filter(({ from }) => from === id)
    const isAgain = seen.has(id) && children.length > 0
    const [first = id, ...rest] = (labels.get(id) ?? id).split('\n')
    const indent = '  '.repeat(depth + 1)
    lines.push(`${indent}${when}${first}${isAgain ? ' …' : ''}`)
    if (isAgain) return
    lines.push(...rest.map((line) => `${indent}   ${line}`))
    seen.add(id)
    for (const { to, label } of children) draw(to, depth + 1, label ? `${label}: ` : '')
  }
  for (const { id } of roots) draw(id, 0)
  // In a circle nobody is first.
  for (const { id } of nodes) if (!seen.has(id)) draw(id, 0)
  return `${title}\n${lines.join('\n')}\n`
}
