import { type Db, transaction } from './database.ts'

/** Clocks of replicas may differ by this much. */
const SKEW_MS = 60_000

/** At most `limit` in any stretch of `seconds`. */
export interface ThrottleRule {
  limit: number
  seconds: number
}

/** `count`: how many there are now in the longest stretch, this one included. */
export type ThrottleOutcome = { isAdmitted: true; count: number } | { isAdmitted: false; retryAt: number }

/**
 * Sliding windows, exact with any number of processes: the row is held from reading to writing. All rules of one call
 * look at the same stamps, so a minute and an hour can share one count.
 */
export function createThrottleStore(db: Db) {
  return {
    spend: (bucket: string, rules: readonly ThrottleRule[], now: number): Promise<ThrottleOutcome> =>
      transaction(db, async (tx) => {
        const longest = Math.max(...rules.map(({ seconds }) => seconds)) * 1000
        const most = Math.max(...rules.map(({ limit }) => limit))
        const { stamps: text } = await tx
          .insertInto('throttles')
          .values({ bucket, stamps: '[]', expires_at: now + longest })
          .onConflict((conflict) =>
            conflict.column('bucket').doUpdateSet((row) => ({ bucket: row.ref('excluded.bucket') })),
          )
          .returning('stamps')
          .executeTakeFirstOrThrow()
        // Of a clock that ran ahead for a while: such a stamp would count for days.
        const isBelieved = (stamp: number): boolean => stamp > now - longest && stamp <= now + SKEW_MS
        const stamps = (JSON.parse(text) as number[]).filter(isBelieved)
        const retryAt = Math.max(0, ...rules.map((rule) => freeAgainAt(stamps, rule, now)))
        if (retryAt > now) return { isAdmitted: false, retryAt }
        const kept = [...stamps, now].slice(-most)
        await tx
          .updateTable('throttles')
          .set({ stamps: JSON.stringify(kept), expires_at: now + longest })
          .where('bucket', '=', bucket)
          .execute()
        return { isAdmitted: true, count: kept.length }
      }),

    /** What `spend` would say, without spending. */
    async look(bucket: string, rules: readonly ThrottleRule[], now: number): Promise<ThrottleOutcome> {
      const row = await db.selectFrom('throttles').select('stamps').where('bucket', '=', bucket).executeTakeFirst()
      const stamps = row ? (JSON.parse(row.stamps) as number[]) : []
      const retryAt = Math.max(0, ...rules.map((rule) => freeAgainAt(stamps, rule, now)))
      return retryAt > now ? { isAdmitted: false, retryAt } : { isAdmitted: true, count: stamps.length }
    },

    /** Takes back one stamp: the act turned out not to be one that counts. */
    giveBack: (bucket: string, stamp: number): Promise<void> =>
      transaction(db, async (tx) => {
        const row = await tx
          .updateTable('throttles')
          .set((update) => ({ bucket: update.ref('bucket') }))
          .where('bucket', '=', bucket)
          .returning('stamps')
          .executeTakeFirst()
        if (!row) return
        const stamps = JSON.parse(row.stamps) as number[]
        const index = stamps.lastIndexOf(stamp)
        if (index < 0) return
        const kept = JSON.stringify(stamps.toSpliced(index, 1))
        await tx.updateTable('throttles').set({ stamps: kept }).where('bucket', '=', bucket).execute()
      }),

    async clear(bucket: string): Promise<void> {
      await db.deleteFrom('throttles').where('bucket', '=', bucket).execute()
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('throttles').where('expires_at', '<=', now).execute()
    },
  }
}

/** When the rule admits the next one; a moment in the past means now. */
function freeAgainAt(stamps: readonly number[], { limit, seconds }: ThrottleRule, now: number): number {
  const within = stamps.filter((stamp) => stamp > now - seconds * 1000)
  const oldestThatCounts = within.at(-limit)
  return oldestThatCounts === undefined ? 0 : oldestThatCounts + seconds * 1000
}
