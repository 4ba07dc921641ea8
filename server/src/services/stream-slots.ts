import { refuse } from '../core/errors.ts'

/** Event streams that this process holds open. */
export interface StreamSlots {
  /** Counts one until the returned function is called; refuses one too many. */
  enter(accountId: string): () => void
}

export const MAX_STREAMS_PER_ACCOUNT = 20
/** Each costs a socket and a query a second. */
const MAX_STREAMS = 500
const RETRY_SECONDS = 5

export function createStreamSlots(): StreamSlots {
  const open = new Map<string, number>()
  let total = 0
  return {
    enter(accountId) {
      const own = open.get(accountId) ?? 0
      if (own >= MAX_STREAMS_PER_ACCOUNT) refuse('tooManyStreams', MAX_STREAMS_PER_ACCOUNT)
      if (total >= MAX_STREAMS) refuse('busy', RETRY_SECONDS)
      open.set(accountId, own + 1)
      total += 1
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        total -= 1
        const left = (open.get(accountId) ?? 1) - 1
        if (left > 0) open.set(accountId, left)
        else open.delete(accountId)
      }
    },
  }
}
