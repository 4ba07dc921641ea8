import type { GraphView, TableView, View } from './views.ts'

/** A view as Mermaid, which forges and editors draw by themselves. */
export const drawMermaid = (view: View): string => (view.kind === 'graph' ? drawGraph(view) : drawTable(view))

const quote = (text: string): string =>
  `"${text.replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;').replaceAll('\n', '<br/>')}"`

function drawGraph({ title, nodes, edges }: GraphView): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    '---',
    'flowchart LR',
    ...nodes.map(
      ({ id, isOutside, label = id }) => `  ${names.get(id)}${isOutside ? `([${quote(label)}])` : `[${quote(label)}]`}`,
    ),
    ...edges.map(({ from, to, label }) => `  ${names.get(from)} -->${label ? `|${label}|` : ''} ${names.get(to)}`),
    '',
  ].join('\n')
}

/** The first column against the second: callers against functions, say. */
function drawTable({ title, columns, rows }: TableView): string {
  const cells = new Map<string, string>()
  const nameOf = (column: number, cell: string): string => {
    const key = `${column}\0${cell}`
    const known = cells.get(key) ?? `c${cells.size}`
    cells.set(key, known)
    return known
  }
  const edges = rows.map(
    (row) => `  ${nameOf(0, row[0] ?? '')} --> ${nameOf(1, row.slice(1).filter(Boolean).join(' · '))}`,
  )
  const nodes = [...cells].map(([key, name]) => `  ${name}[${quote(key.slice(key.indexOf('\0') + 1) || '–')}]`)
  return [
    '---',
    `title: ${JSON.stringify(`${title} (${columns.join(', ')})`)}`,
    '---',
    'flowchart LR',
    ...nodes,
    ...edges,
    '',
  ].join('\n')
}
