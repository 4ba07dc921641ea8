import type { Db } from './database.ts'
import type { SweepStateTable } from './schema.ts'

export type SweepName = SweepStateTable['name']

export function createSweepStateStore(db: Db) {
  return {
    async find(name: SweepName): Promise<SweepStateTable | undefined> {
      return db.selectFrom('sweep_states').selectAll().where('name', '=', name).executeTakeFirst()
    },

    async keep(state: SweepStateTable): Promise<void> {
      const { name: _, ...rest } = state
      await db
        .insertInto('sweep_states')
        .values(state)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
        .execute()
    },

    /** Those that wait, for a trusted clock or for the operator. */
    async listWaiting(): Promise<SweepStateTable[]> {
      return db
        .selectFrom('sweep_states')
        .selectAll()
        .where((state) => state.or([state('jumped_at', 'is not', null), state('held', 'is not', null)]))
        .where('is_released', '=', 0)
        .orderBy('name')
        .execute()
    },

    /** The next run goes ahead, whatever the clock and the number say; false when none waits under this name. */
    async release(name: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sweep_states')
        .set({ is_released: 1 })
        .where('name', '=', name as SweepName)
        .where((state) => state.or([state('jumped_at', 'is not', null), state('held', 'is not', null)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** When any process last wrote something: no correct clock is long after it while the service runs. */
    async findNewestRow(): Promise<number | undefined> {
      // Its ids sort by time.
      const event = await db
        .selectFrom('security_events')
        .select('at')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const scan = await db
        .selectFrom('scans')
        .select('created_at')
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      const moments = [event?.at, scan?.created_at].filter((moment) => moment !== undefined)
      return moments.length === 0 ? undefined : Math.max(...moments)
    },
  }
}
