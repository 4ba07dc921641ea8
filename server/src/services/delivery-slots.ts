import { createTally } from '../core/tally.ts'

/** One receiver gets so many requests at a time; more would help a slow one to hold places and a quick one to nothing. */
const PER_ENDPOINT = 2
/** Places of all receivers of one account, those that wait included. */
const PER_ACCOUNT = 8
const WAIT_MS = 2000

export interface DeliverySlots {
  /** Runs `work` in a place of this receiver; `undefined` when none came free in time. */
  use<T>(place: { webhookId: string; accountId: string }, work: () => Promise<T>): Promise<{ done: T } | undefined>
  /** Places that are held, those that wait included. */
  readonly held: number
}

/**
 * Places for deliveries in this process. A receiver that never answers holds its own two and makes the others of its account wait;
 * everybody else's go on.
 */
export function createDeliverySlots(waitMs = WAIT_MS): DeliverySlots {
  const running = new Map<string, number>()
  const held = createTally()
  const waiting = new Map<string, (() => void)[]>()

  const add = (webhookId: string, by: 1 | -1): void => {
    const count = (running.get(webhookId) ?? 0) + by
    if (count > 0) running.set(webhookId, count)
    else running.delete(webhookId)
  }
  /** False when the time is over. */
  const enter = (webhookId: string): Promise<boolean> => {
    if ((running.get(webhookId) ?? 0) < PER_ENDPOINT) {
      add(webhookId, 1)
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
    else add(webhookId, -1)
    if (waiting.get(webhookId)?.length === 0) waiting.delete(webhookId)
  }

  return {
    async use({ webhookId, accountId }, work) {
      if (held.of(accountId) >= PER_ACCOUNT) return undefined
      const letGo = held.enter(accountId)
      try {
        if (!(await enter(webhookId))) return undefined
        try {
          return { done: await work() }
        } finally {
          leave(webhookId)
        }
      } finally {
        letGo()
      }
    },
    get held() {
      return held.total
    },
  }
}
