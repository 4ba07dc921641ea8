/**
 * Strongly connected components of a graph, those that others lead to first (Tarjan 1972, with a stack of its own: call chains of
 * hostile sources are longer than the engine's).
 */
export const strongComponents = <T>(root: T, successorsOf: (node: T) => readonly T[]): T[][] => {
  const components: T[][] = []
  const nodes = new Map<T, Visit<T>>()
  const open: Visit<T>[] = []
  const enter = (node: T): Visit<T> => {
    const visit = { node, order: nodes.size, low: nodes.size, isOpen: true, successors: successorsOf(node), next: 0 }
    nodes.set(node, visit)
    open.push(visit)
    return visit
  }
  const path = [enter(root)]
  while (path.length > 0) {
    const visit = path.at(-1)!
    if (visit.next < visit.successors.length) {
      const successor = visit.successors[visit.next++]!
      const known = nodes.get(successor)
      if (known === undefined) path.push(enter(successor))
      else if (known.isOpen) visit.low = Math.min(visit.low, known.order)
      continue
    }
    path.pop()
    const caller = path.at(-1)
    if (caller !== undefined) caller.low = Math.min(caller.low, visit.low)
    if (visit.low === visit.order) components.push(close(open, visit))
  }
  return components
}

interface Visit<T> {
  readonly node: T
  readonly order: number
  readonly successors: readonly T[]
  low: number
  isOpen: boolean
  next: number
}

/** Takes everything off the stack that was entered since `first`. */
const close = <T>(open: Visit<T>[], first: Visit<T>): T[] => {
  const component = open.splice(open.lastIndexOf(first))
  for (const visit of component) visit.isOpen = false
  return component.map(({ node }) => node)
}
