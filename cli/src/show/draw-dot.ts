import type { GraphView, TableView, View } from './views.ts'

/** A view for Graphviz. A table becomes a graph from its first column to the rest of each row. */
export const drawDot = (view: View): string => drawGraph(view.kind === 'graph' ? view : toGraph(view))

const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\l')}${text.includes('\n') ? '\\l' : ''}"`

const drawGraph = ({ title, nodes, edges }: GraphView): string =>
  [
    `digraph ${quote(title)} {`,
    `  label=${quote(title)}; rankdir=LR; node [shape=box, fontname=monospace];`,
    ...nodes.map(
      ({ id, isOutside, label = id }) => `  ${quote(id)} [label=${quote(label)}${isOutside ? ', style=dashed' : ''}];`,
    ),
    ...edges.map(
      ({ from, to, label }) => `  ${quote(from)} -> ${quote(to)}${label ? ` [label=${quote(label)}]` : ''};`,
    ),
    '}',
    '',
  ].join('\n')

function toGraph({ title, columns, rows }: TableView): GraphView {
  const edges = rows.map(([first = '', ...rest]) => ({
    from: first || '–',
    to: rest.filter(Boolean).join(' · ') || '–',
  }))
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))]
  return {
    kind: 'graph',
    title: `${title} (${columns.join(', ')})`,
    nodes: ids.map((id) => ({ id, isOutside: false })),
    edges,
  }
}
