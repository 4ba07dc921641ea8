export interface SlotLimits {
  readonly perAccount: number
  readonly total: number
  /** What an account, or anybody, is told that asks for one too many. */
  readonly onOwn: () => never
  readonly onTotal: () => never
}

/** Places in this process for what is held open for long. */
export interface Slots {
  /** Counts one until the returned function is called; refuses one too many. */
  enter(accountId: string): () => void
}

export function createSlots({ perAccount, total, onOwn, onTotal }: SlotLimits): Slots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    enter(accountId) {
      const own = taken.get(accountId) ?? 0
      if (own >= perAccount) onOwn()
      if (all >= total) onTotal()
      taken.set(accountId, own + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const left = (taken.get(accountId) ?? 1) - 1
        if (left > 0) taken.set(accountId, left)
        else taken.delete(accountId)
      }
    },
  }
}
