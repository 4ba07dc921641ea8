import { createTally } from '../core/tally.ts'

export interface SlotLimits {
  readonly perAccount: number
  readonly total: number
  /** The refusal of one too many, for an account or for anyone. */
  readonly onOwn: () => never
  readonly onTotal: () => never
}

/** Places in this process for connections that stay open for long. */
export interface Slots {
  /** Counts one until the returned function is called; refuses one too many. */
  enter(accountId: string): () => void
  readonly taken: number
}

export function createSlots({ perAccount, total, onOwn, onTotal }: SlotLimits): Slots {
  const taken = createTally()
  return {
    enter(accountId) {
      if (taken.of(accountId) >= perAccount) onOwn()
      if (taken.total >= total) onTotal()
      return taken.enter(accountId)
    },
    get taken() {
      return taken.total
    },
  }
}
