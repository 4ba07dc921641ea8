import type { GraphView, TableView, View } from './views.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string): string =>
  text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)

const characterWidth = 7.3
const lineHeight = 22
const margin = 16
const style =
  'text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#16181d}.t{font-weight:bold;font-size:14px}.h{fill:#5b6270}rect{fill:#f7f8fa;stroke:#8a93a3}.o{stroke-dasharray:4 3}path{fill:none;stroke:#5b6270}line{stroke:#dfe3ea}'

/** A view as a picture that needs nothing else: no script, no font, no outside resource. */
export const drawSvg = (view: View): string => (view.kind === 'table' ? drawTable(view) : drawGraph(view))

const svg = (width: number, height: number, title: string, body: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" role="img">`,
    `<title>${escapeXml(title)}</title><style>${style}</style><rect width="100%" height="100%" style="fill:#fff;stroke:none"/>`,
    `<text class="t" x="${margin}" y="${margin + 8}">${escapeXml(title)}</text>`,
    ...body,
    '</svg>',
    '',
  ].join('\n')

function drawTable({ title, columns, rows }: TableView): string {
  const all = [columns, ...rows]
  const widths = columns.map(
    (_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)) * characterWidth + margin,
  )
  const lefts = widths.map((_, column) => margin + widths.slice(0, column).reduce((sum, width) => sum + width, 0))
  const top = margin + 34
  const body = all.flatMap((row, index) => {
    const y = top + index * lineHeight
    return [
      ...row.map(
        (cell, column) =>
          `<text${index === 0 ? ' class="h"' : ''} x="${lefts[column]}" y="${y}">${escapeXml(cell)}</text>`,
      ),
      `<line x1="${margin}" x2="${margin + widths.reduce((sum, width) => sum + width, 0)}" y1="${y + 7}" y2="${y + 7}"/>`,
    ]
  })
  const width =
    Math.max(
      widths.reduce((sum, each) => sum + each, 0),
      title.length * 9,
    ) +
    margin * 2
  return svg(width, top + all.length * lineHeight + margin, title, body)
}

const boxHeight = 26
const gapX = 60
const gapY = 14

/** In layers from left to right: each node one layer after the last that leads to it; circles are cut where they close. */
function layersOf({ nodes, edges }: GraphView): Map<string, number> {
  const layer = new Map<string, number>()
  const visit = (id: string, depth: number, path: ReadonlySet<string>): void => {
    if (path.has(id) || (layer.get(id) ?? -1) >= depth || depth > nodes.length) return
    layer.set(id, depth)
    const below = new Set(path).add(id)
    for (const { from, to } of edges) if (from === id) visit(to, depth + 1, below)
  }
  const reached = new Set(edges.map(({ to }) => to))
  for (const { id } of nodes) if (!reached.has(id)) visit(id, 0, new Set())
  for (const { id } of nodes) if (!layer.has(id)) visit(id, 0, new Set())
  return layer
}

const labelOf = ({ id, label = id }: GraphView['nodes'][number]): string => label.replaceAll('\n', ' · ')

function drawGraph(view: GraphView): string {
  const layer = layersOf(view)
  const count = Math.max(0, ...layer.values()) + 1
  const columns = Array.from({ length: count }, (_, index) => view.nodes.filter(({ id }) => layer.get(id) === index))
  const widths = columns.map((nodes) => Math.max(0, ...nodes.map((node) => labelOf(node).length)) * characterWidth + 20)
  const top = margin + 24
  const boxes = new Map<string, { x: number; y: number; width: number }>()
  columns.forEach((nodes, column) => {
    const x = margin + widths.slice(0, column).reduce((sum, width) => sum + width + gapX, 0)
    nodes.forEach(({ id }, row) => {
      boxes.set(id, { x, y: top + row * (boxHeight + gapY), width: widths[column] ?? 0 })
    })
  })
  const lines = view.edges.flatMap(({ from, to }) => {
    const [a, b] = [boxes.get(from), boxes.get(to)]
    if (!a || !b) return []
    const [x1, y1, x2, y2] = [a.x + a.width, a.y + boxHeight / 2, b.x, b.y + boxHeight / 2]
    return [`<path d="M${x1} ${y1} C${x1 + gapX / 2} ${y1} ${x2 - gapX / 2} ${y2} ${x2} ${y2}"/>`]
  })
  const rects = view.nodes.flatMap((node) => {
    const { id, isOutside } = node
    const box = boxes.get(id)
    if (!box) return []
    return [
      `<rect${isOutside ? ' class="o"' : ''} x="${box.x}" y="${box.y}" width="${box.width}" height="${boxHeight}" rx="5"/><text x="${box.x + 10}" y="${box.y + 17}">${escapeXml(labelOf(node))}</text>`,
    ]
  })
  const width = margin * 2 + widths.reduce((sum, each) => sum + each + gapX, 0)
  const height = top + Math.max(1, ...columns.map(({ length }) => length)) * (boxHeight + gapY) + margin
  return svg(Math.max(width, view.title.length * 9 + margin * 2), height, view.title, [...lines, ...rects])
}
