import { resolveImports, type SourceText } from './doors.ts'

/** Groups of files that import each other in a circle, types included; each group and the list in the order of their paths. */
export function findCircles(sources: readonly SourceText[]): string[][] {
  const graph = new Map(sources.map((source) => [source.path, [] as string[]]))
  for (const source of sources)
    for (const target of resolveImports(source))
      if (graph.has(target) && target !== source.path) graph.get(source.path)?.push(target)
  return stronglyConnected(graph).filter((group) => group.length > 1)
}

/** Tarjan's algorithm: a file closes a group when nothing that it reaches leads back before it. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const groups: string[][] = []
  const visit = (file: string): number => {
    const number = order.size
    order.set(file, number)
    open.push(file)
    isOpen.add(file)
    let low = number
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === number) {
      const group = open.splice(open.indexOf(file))
      for (const member of group) isOpen.delete(member)
      groups.push(group.sort())
    }
    return low
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return groups.sort(([a = ''], [b = '']) => a.localeCompare(b))
}
