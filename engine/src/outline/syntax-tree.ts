import { childrenOf, type Node, parse } from '../syntax/index.ts'

const maxNodes = 200
const maxText = 60

/** The nodes that begin on a line, one a line, indented by depth: what a pattern or a rule sees there. */
export const syntaxTreeAt = (text: string, line: number): readonly string[] => {
  const start = text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0)
  const end = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start)
  const lines: string[] = []
  const stack: { readonly node: Node; readonly depth: number }[] = [{ node: parse(text).unit, depth: 0 }]
  for (let next = stack.pop(); next !== undefined && lines.length < maxNodes; next = stack.pop()) {
    const { node, depth } = next
    if (node.end <= start || node.start > end) continue
    const isHere = node.start >= start && node.kind !== 'SourceUnit'
    if (isHere) lines.push(`${'  '.repeat(depth)}${node.kind}  ${shown(text.slice(node.start, node.end))}`)
    for (const child of childrenOf(node).reverse()) stack.push({ node: child, depth: isHere ? depth + 1 : depth })
  }
  return lines
}

const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > maxText ? `${line.slice(0, maxText - 1)}…` : line
}
