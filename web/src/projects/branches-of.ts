/** Its branches, the one that was scanned last first, each with its newest scan. */
export function branchesOf<T extends { readonly ref: string | null }>(trend: readonly T[]): T[] {
  const seen = new Set<string | null>()
  return trend.filter(({ ref }) => !seen.has(ref) && seen.add(ref))
}
