import type { Db } from './database.ts'
import type { ChallengePurpose, LoginChallengeTable } from './schema.ts'

export type { ChallengePurpose } from './schema.ts'

export type LoginChallengeRow = LoginChallengeTable

export function createLoginChallengeStore(db: Db) {
  return {
    async add(row: LoginChallengeRow): Promise<void> {
      await db.insertInto('login_challenges').values(row).execute()
    },

    find: (
      tokenIndexes: readonly string[],
      purpose: ChallengePurpose,
      now: number,
    ): Promise<LoginChallengeRow | undefined> =>
      db
        .selectFrom('login_challenges')
        .selectAll()
        .where('token_index', 'in', tokenIndexes)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', now)
        .where('tries_left', '>', 0)
        .executeTakeFirst(),

    /** Spends a try before anything is compared; false when none is left. */
    async spendTry(tokenIndex: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('login_challenges')
        .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
        .where('token_index', '=', tokenIndex)
        .where('tries_left', '>', 0)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Of two requests that answered it rightly, one gets true. */
    async remove(tokenIndex: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('login_challenges')
        .where('token_index', '=', tokenIndex)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** A new password or a factor that is gone: what was begun before is void. */
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('login_challenges').where('account_id', '=', accountId).execute()
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('login_challenges').where('expires_at', '<=', now).execute()
    },
  }
}
