import { sql } from 'kysely'
import { type Db, transaction } from './database.ts'
import type { IdempotentRequestTable } from './schema.ts'

export type IdempotentRequestRow = IdempotentRequestTable

export function createIdempotentRequestStore(db: Db) {
  const named = ({
    account_id,
    route,
    key_index,
  }: Pick<IdempotentRequestRow, 'account_id' | 'route' | 'key_index'>) => ({
    account_id,
    route,
    key_index,
  })

  return {
    /** Takes the key; otherwise gives the row of its holder. A row whose time is over counts as absent. */
    take: (row: IdempotentRequestRow, now: number): Promise<IdempotentRequestRow | undefined> =>
      transaction(db, async (tx) => {
        const inserted = await tx
          .insertInto('idempotent_requests')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'route', 'key_index']).doNothing())
          .returning('lease_id')
          .executeTakeFirst()
        if (inserted) return undefined
        const { lease_id, lease_until, instance_id, content_index, response, response_body, expires_at } = row
        const retaken = await tx
          .updateTable('idempotent_requests')
          .set({ lease_id, lease_until, instance_id, content_index, response, response_body, expires_at })
          .where((where) => where.and(named(row)))
          .where((where) =>
            where.or([
              where('expires_at', '<=', now),
              where.and([where('response', 'is', null), where('lease_until', '<=', now)]),
              where.and([where('response', 'is', null), isAbandoned(instance_id, now)]),
            ]),
          )
          .returning('lease_id')
          .executeTakeFirst()
        if (retaken) return undefined
        return tx
          .selectFrom('idempotent_requests')
          .selectAll()
          .where((where) => where.and(named(row)))
          .executeTakeFirst()
      }),

    async complete(
      row: Pick<IdempotentRequestRow, 'account_id' | 'route' | 'key_index' | 'lease_id'>,
      { head, body }: { readonly head: string; readonly body: Uint8Array },
    ) {
      await db
        .updateTable('idempotent_requests')
        .set({ response: head, response_body: body })
        .where((where) => where.and({ ...named(row), lease_id: row.lease_id }))
        .execute()
    },

    /** Lets the key be used again: the work produced nothing worth repeating. */
    async release(row: Pick<IdempotentRequestRow, 'account_id' | 'route' | 'key_index' | 'lease_id'>) {
      await db
        .deleteFrom('idempotent_requests')
        .where((where) => where.and({ ...named(row), lease_id: row.lease_id }))
        .where('response', 'is', null)
        .execute()
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('idempotent_requests').where('expires_at', '<=', now).execute()
    },
  }
}

/** Another process had the turn, and it is no longer alive. */
const isAbandoned = (ownInstanceId: string, now: number) => sql<boolean>`
  idempotent_requests.instance_id <> '' and idempotent_requests.instance_id <> ${ownInstanceId} and not exists (
    select 1 from instances i where i.id = idempotent_requests.instance_id and i.alive_until > ${now}
  )`
