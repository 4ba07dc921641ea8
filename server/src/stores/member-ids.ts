import { newId } from '../core/ids.ts'
import type { Db } from './database.ts'

export function createMemberIdStore(db: Db) {
  const find = (organisationId: string, accountIds: readonly string[]) =>
    db
      .selectFrom('member_ids')
      .select(['id', 'account_id'])
      .where('organisation_id', '=', organisationId)
      .where('account_id', 'in', accountIds)
      .execute()
  return {
    /** The membership ids of these accounts; an account without one gets it now, for good. */
    async name(organisationId: string, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const wanted = [...new Set(accountIds)]
      if (wanted.length === 0) return new Map()
      const known = await find(organisationId, wanted)
      const names = new Map(known.map(({ id, account_id }) => [account_id, id]))
      const missing = wanted.filter((accountId) => !names.has(accountId))
      if (missing.length === 0) return names
      await db
        .insertInto('member_ids')
        .values(missing.map((account_id) => ({ id: newId('membership'), organisation_id: organisationId, account_id })))
        .onConflict((conflict) => conflict.columns(['organisation_id', 'account_id']).doNothing())
        .execute()
      for (const { id, account_id } of await find(organisationId, missing)) names.set(account_id, id)
      return names
    },
  }
}
