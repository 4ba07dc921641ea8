import { sql } from 'kysely'
import { type Db, isPostgres, transaction } from './database.ts'
import { createDayCountStore } from './day-counts.ts'
import type { ScanReservationTable } from './schema.ts'
import { statement } from './statement.ts'

/** Scans of a day by account, and the places of it that processes hold. */
export function createScanCountStore(db: Db) {
  return {
    /** Places that are held, by whichever process. */
    async countReservations(): Promise<number> {
      const row = await db
        .selectFrom('scan_reservations')
        .select((select) => select.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return Number(row.n)
    },

    ...createDayCountStore(db, 'account'),

    /** Takes and holds one place of the day, if the limit allows; the new count, or undefined when the day is spent. */
    async reserve(reservation: ScanReservationTable, limit: number): Promise<number | undefined> {
      if (limit < 1) return undefined
      if (isPostgres(db)) return takeAndHold(db, reservation, limit)
      return transaction(db, async (tx) => {
        const taken = await take(tx, reservation, limit)
        if (taken !== undefined) await hold(tx, reservation)
        return taken
      })
    },

    /** Ends a reservation; false when it had been given back already. */
    async release(id: string): Promise<boolean> {
      const { numAffectedRows } = await statement`delete from scan_reservations where id = ${id}`(db)
      return numAffectedRows === 1n
    },

    /**
     * Ends what processes hold that are no longer alive, and says whose places these were. Nobody can be alive beyond `latest`: that was
     * written by a clock that ran ahead. What `living` holds stays.
     */
    async releaseOrphans(now: number, latest: number, living: string | null): Promise<ScanReservationTable[]> {
      const { rows } = await sql<ScanReservationTable>`
        delete from scan_reservations
        where instance_id <> ${living ?? ''} and not exists (
          select 1 from instances i
          where i.id = scan_reservations.instance_id and i.alive_until > ${now} and i.alive_until <= ${latest}
        )
        returning id, instance_id, account_id, day, key_id`.execute(db)
      return rows
    },

    async keepAlive(instanceId: string, until: number): Promise<void> {
      await db
        .insertInto('instances')
        .values({ id: instanceId, alive_until: until })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until: until }))
        .execute()
    },

    async forgetInstance(instanceId: string): Promise<void> {
      await db.deleteFrom('instances').where('id', '=', instanceId).execute()
    },

    async forgetOtherInstances(instanceId: string): Promise<void> {
      await db.deleteFrom('instances').where('id', '!=', instanceId).execute()
    },

    async forgetDeadInstances(now: number): Promise<void> {
      await db.deleteFrom('instances').where('alive_until', '<=', now).execute()
    },
  }
}

async function take(db: Db, { account_id, day }: ScanReservationTable, limit: number): Promise<number | undefined> {
  const { rows } = await statement<{ n: number }>`
    insert into scan_counts (account_id, day, n) values (${account_id}, ${day}, 1)
    on conflict (account_id, day) do update set n = scan_counts.n + 1 where scan_counts.n < ${limit}
    returning n`(db)
  return rows[0]?.n
}

async function hold(db: Db, { id, instance_id, account_id, day, key_id }: ScanReservationTable): Promise<void> {
  await statement`insert into scan_reservations (id, instance_id, account_id, day, key_id)
    values (${id}, ${instance_id}, ${account_id}, ${day}, ${key_id})`(db)
}

/** Both at once: a statement happens wholly or not at all. */
async function takeAndHold(db: Db, place: ScanReservationTable, limit: number): Promise<number | undefined> {
  const { id, instance_id, account_id, day, key_id } = place
  const { rows } = await statement<{ n: number }>`
    with taken as (
      insert into scan_counts (account_id, day, n) values (${account_id}, ${day}, 1)
      on conflict (account_id, day) do update set n = scan_counts.n + 1 where scan_counts.n < ${limit}
      returning n
    ), held as (
      insert into scan_reservations (id, instance_id, account_id, day, key_id)
      select ${id}::text, ${instance_id}::text, ${account_id}::text, ${day}::bigint, ${key_id}::text from taken
    )
    select n from taken`(db)
  return rows[0]?.n
}
