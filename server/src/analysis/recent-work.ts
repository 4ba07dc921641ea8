import { elapsedMs } from '../core/clock.ts'

/** How much each account has kept this process's workers busy of late. */
export interface RecentWork {
  note(account: string, cpuMs: number): void
  /** CPU time of late: what is ten seconds old counts half. */
  of(account: string): number
}

const HALF_LIFE_MS = 10_000
/** What has become less than this counts for nothing. */
const FORGOTTEN_MS = 10

export function createRecentWork(now: () => number = elapsedMs): RecentWork {
  const used = new Map<string, { readonly ms: number; readonly at: number }>()
  const of = (account: string): number => {
    const last = used.get(account)
    if (!last) return 0
    const ms = last.ms * 0.5 ** ((now() - last.at) / HALF_LIFE_MS)
    if (ms < FORGOTTEN_MS) used.delete(account)
    return ms < FORGOTTEN_MS ? 0 : ms
  }
  return {
    note(account, cpuMs) {
      used.set(account, { ms: of(account) + cpuMs, at: now() })
      // Accounts that never come again would stay for ever.
      if (used.size > 1_000) for (const name of [...used.keys()]) of(name)
    },
    of,
  }
}
