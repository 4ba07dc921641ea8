import { type Severity, severities } from '../components/severities.ts'
import type { ListedFinding, ViewSource } from './scan-view.ts'

export interface FileNode {
  /** The last part of the path; folders with nothing but one folder in them are named together: `src/branches`. */
  name: string
  path: string
  /** How much was found in it, or in all that is under it. */
  count: number
  worst?: Severity | undefined
  /** Undefined: it is a file. */
  children?: readonly FileNode[] | undefined
}

/** The files of a project as folders and files, each with what was found in it; folders first, then by name. */
export function fileTree(all: readonly ListedFinding[], sources: readonly ViewSource[]): FileNode[] {
  const found = groupedBy(all, ({ finding }) => finding.file)
  return nodesUnder(
    sources.map(({ path }) => ({ path, parts: path.split('/'), severities: severitiesOf(found.get(path)) })),
    0,
  )
}

interface Leaf {
  path: string
  parts: readonly string[]
  severities: readonly Severity[]
}

const severitiesOf = (items: readonly ListedFinding[] = []): Severity[] => items.map(({ finding }) => finding.severity)

function nodesUnder(leaves: readonly Leaf[], depth: number): FileNode[] {
  const byName = groupedBy(leaves, ({ parts }) => parts[depth] ?? '')
  const nodes = [...byName].map(([name, under]): FileNode => {
    const [first] = under
    const isFile = under.length === 1 && first?.parts.length === depth + 1
    const path = isFile ? (first?.path ?? name) : (first?.parts.slice(0, depth + 1).join('/') ?? name)
    const severitiesBelow = under.flatMap((leaf) => leaf.severities)
    const node = {
      name,
      path,
      count: severitiesBelow.length,
      worst: severities.find((severity) => severitiesBelow.includes(severity)),
    }
    return isFile ? node : joined({ ...node, children: nodesUnder(under, depth + 1) })
  })
  return nodes.sort(
    (a, b) => Number(b.children !== undefined) - Number(a.children !== undefined) || (a.name < b.name ? -1 : 1),
  )
}

function joined(node: FileNode): FileNode {
  const [only, other] = node.children ?? []
  return only?.children && !other ? { ...only, name: `${node.name}/${only.name}` } : node
}

function groupedBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
