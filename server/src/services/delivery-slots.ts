/** One receiver is asked this often at a time; more would help a slow one to hold places and a quick one to nothing. */
const PER_ENDPOINT = 2
/** Places of all receivers of one account, those that wait included. */
const PER_ACCOUNT = 8
const WAIT_MS = 2000

export interface DeliverySlots {
  /** Runs `work` in a place of this receiver; `undefined` when none came free in time. */
  use<T>(place: { webhookId: string; accountId: string }, work: () => Promise<T>): Promise<{ done: T } | undefined>
}

/**
 * Places for deliveries in this process. A receiver that never answers holds its own two and makes the others of its account wait;
 * everybody else's go on.
 */
export function createDeliverySlots(waitMs = WAIT_MS): DeliverySlots {
  const running = new Map<string, number>()
  const held = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  const add = (counts: Map<string, number>, key: string, by: 1 | -1): number => {
    const n = (counts.get(key) ?? 0) + by
    if (n > 0) counts.set(key, n)
    else counts.delete(key)
    return n
  }
  /** False when the time is over. */
  const enter = (webhookId: string): Promise<boolean> => {
    if ((running.get(webhookId) ?? 0) < PER_ENDPOINT) {
      add(running, webhookId, 1)
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const line = waiting.get(webhookId) ?? []
      waiting.set(webhookId, line)
      const go = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(go), 1)
        resolve(false)
      }, waitMs)
      line.push(go)
    })
  }
  const leave = (webhookId: string): void => {
    const next = waiting.get(webhookId)?.shift()
    if (next) next()
    else add(running, webhookId, -1)
    if (waiting.get(webhookId)?.length === 0) waiting.delete(webhookId)
  }

  return {
    async use({ webhookId, accountId }, work) {
      if ((held.get(accountId) ?? 0) >= PER_ACCOUNT) return undefined
      add(held, accountId, 1)
      try {
        if (!(await enter(webhookId))) return undefined
        try {
          return { done: await work() }
        } finally {
          leave(webhookId)
        }
      } finally {
        add(held, accountId, -1)
      }
    },
  }
}
