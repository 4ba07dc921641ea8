/** How many there are, of each owner and together. */
export interface Tally {
  /** Counts one until the returned function is called; calling it again changes nothing. */
  enter(owner: string): () => void
  of(owner: string): number
  readonly total: number
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  let total = 0
  return {
    enter(owner) {
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
      total += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        total -= 1
        const left = (counts.get(owner) ?? 1) - 1
        if (left > 0) counts.set(owner, left)
        else counts.delete(owner)
      }
    },
    of: (owner) => counts.get(owner) ?? 0,
    get total() {
      return total
    },
  }
}
