/** What this process holds at the moment, by name. Every number is 0 when the process has nothing to do. */
export interface Gauges {
  /** Of several under one name the sum is shown. */
  add(name: string, read: () => number): void
  read(): Readonly<Record<string, number>>
}

export function createGauges(): Gauges {
  const readers: (readonly [name: string, read: () => number])[] = []
  return {
    add: (name, read) => void readers.push([name, read]),
    read() {
      const sums: Record<string, number> = {}
      for (const [name, read] of readers) sums[name] = (sums[name] ?? 0) + read()
      return sums
    },
  }
}

/** The gauges that are not 0. */
export const heldBy = (gauges: Pick<Gauges, 'read'>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(gauges.read()).filter(([, count]) => count !== 0))
