import type { Db } from './database.ts'
import { statement } from './statement.ts'

/** Stands for all sessions of an account where a type of key would. */
export const SESSION = 'SESSION'

/** Stands for one key, which counts for its type too. */
export const ofKey = (keyId: string): string => `key ${keyId}`

/** Stands for CPU time, counted in milliseconds. */
export const WORK = 'CPU'

export function createRequestCountStore(db: Db) {
  return {
    /** Counts one more, if the limit allows; the new count, or undefined when the hour is spent. One statement: exact under concurrency. */
    async add(accountId: string, keyType: string, hour: number, limit: number): Promise<number | undefined> {
      if (limit < 1) return undefined
      const { rows } = await statement<{ n: number }>`
        insert into request_counts (account_id, key_type, hour, n) values (${accountId}, ${keyType}, ${hour}, 1)
        on conflict (account_id, key_type, hour) do update set n = request_counts.n + 1 where request_counts.n < ${limit}
        returning n`(db)
      return rows[0]?.n
    },

    /** Counts CPU time; there is no limit to what was used already. */
    async addWork(accountId: string, hour: number, ms: number): Promise<void> {
      await statement`
        insert into request_counts (account_id, key_type, hour, n) values (${accountId}, ${WORK}, ${hour}, ${ms})
        on conflict (account_id, key_type, hour) do update set n = request_counts.n + ${ms}`(db)
    },

    /** With keys of any type. */
    async count(accountId: string, hour: number): Promise<number> {
      const row = await db
        .selectFrom('request_counts')
        .select((select) => select.fn.sum<number>('n').as('n'))
        .where('account_id', '=', accountId)
        .where('hour', '=', hour)
        .where('key_type', 'in', ['PRODUCTION', 'TEST'])
        .executeTakeFirst()
      return row?.n ?? 0
    },

    async countAs(accountId: string, keyType: string, hour: number): Promise<number> {
      const row = await db
        .selectFrom('request_counts')
        .select('n')
        .where('account_id', '=', accountId)
        .where('key_type', '=', keyType)
        .where('hour', '=', hour)
        .executeTakeFirst()
      return row?.n ?? 0
    },

    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('request_counts').where('account_id', '=', accountId).execute()
    },

    async deleteBefore(hour: number): Promise<void> {
      await db.deleteFrom('request_counts').where('hour', '<', hour).execute()
    },
  }
}
