export const projectOrders = ['latest', 'oldest', 'score', 'name'] as const
export type ProjectOrder = (typeof projectOrders)[number]

/** What a link to the list of projects carries. */
export interface ProjectsSearch {
  /** A part of the name. */
  q?: string
  /** Absent: last scanned first. */
  sort?: ProjectOrder
  tag?: string
}

/** Digits alone come out of the address as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

/** Reads whatever is in the address; what is not understood is left out. */
export function readProjectsSearch({ q, sort, tag }: Record<string, unknown>): ProjectsSearch {
  const order = projectOrders.find((one) => one === sort && one !== 'latest')
  return {
    ...(textOf(q) && { q: textOf(q) }),
    ...(order && { sort: order }),
    ...(textOf(tag) && { tag: textOf(tag) }),
  }
}
