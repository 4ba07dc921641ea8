import type { Clock } from '../core/clock.ts'
import { type Db, transaction } from '../stores/database.ts'
import type { JobKind } from './job.ts'
import type { JobStorage } from './job-storage.ts'

export interface Scheduler {
  /** Enqueues the recurring job if it is due; with any number of replicas asking, one does. */
  tick(kind: JobKind<unknown>): Promise<void>
}

/**
 * Recurring jobs by one row each that holds the next moment. Anyone who moves the row forward enqueues the job in the same transaction,
 * so a moment can be neither missed nor served twice. A moment much further off than one interval was set by a clock that ran ahead
 * (someone tried out the future): it is taken as due. One interval more or less is none: a process that looked at its clock just before
 * a moment, and gets its turn just after another has served it, sees the next one more than an interval ahead. Moments are multiples of the interval since the epoch, so that replicas agree.
 */
export function createScheduler(db: Db, clock: Clock, storage: JobStorage): Scheduler {
  /** Spares a query while nothing can be due. */
  const nextKnown = new Map<string, number>()

  return {
    async tick({ name, everySeconds }) {
      const now = clock.now().getTime()
      if (everySeconds === undefined) return
      const interval = everySeconds * 1000
      const tooFar = now + 2 * interval
      const known = nextKnown.get(name) ?? 0
      if (now < known && known <= tooFar) return
      const next = (Math.floor(now / interval) + 1) * interval
      await transaction(db, async (tx) => {
        const row = { name, next_at: next }
        const isFirst = await tx
          .insertInto('schedules')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirst()
        const moved =
          isFirst.numInsertedOrUpdatedRows ||
          (
            await tx
              .updateTable('schedules')
              .set(row)
              .where('name', '=', name)
              .where((row) => row.or([row('next_at', '<=', now), row('next_at', '>', tooFar)]))
              .executeTakeFirst()
          ).numUpdatedRows
        if (moved) await storage.add(tx, { name, payload: {}, runAt: new Date(now), key: 'recurring', attempt: 0 })
      })
      nextKnown.set(name, next)
    },
  }
}
