export const projectOrders = ['latest', 'name', 'score'] as const
export type ProjectOrder = (typeof projectOrders)[number]

interface Listed {
  readonly name: string
  readonly score: number
  readonly trend: readonly { readonly at: string }[]
}

/** Those whose name contains the words, in this order; the lowest score first, since that is where work is. */
export function orderProjects<T extends Listed>(projects: readonly T[], words: string, order: ProjectOrder): T[] {
  const wanted = words.trim().toLowerCase()
  return projects.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(by[order])
}

const byName = (a: Listed, b: Listed): number => a.name.localeCompare(b.name)
const latest = ({ trend }: Listed): string => trend[0]?.at ?? ''

const by: Record<ProjectOrder, (a: Listed, b: Listed) => number> = {
  latest: (a, b) => latest(b).localeCompare(latest(a)) || byName(a, b),
  name: byName,
  score: (a, b) => a.score - b.score || byName(a, b),
}

/** Its branches, the one that was scanned last first, each with its newest scan. */
export function branchesOf<T extends { readonly ref: string | null }>(trend: readonly T[]): T[] {
  const seen = new Set<string | null>()
  return trend.filter(({ ref }) => !seen.has(ref) && seen.add(ref))
}
