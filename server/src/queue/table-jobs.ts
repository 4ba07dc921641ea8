import { sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { newSortableId } from '../core/ids.ts'
import type { Randomness } from '../core/randomness.ts'
import { type Db, transaction } from '../stores/database.ts'
import type { JobTable } from '../stores/schema.ts'
import type { JobStorage, NewJob, TakenJob } from './job-storage.ts'

export interface TableJobsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly randomness: Randomness
  readonly leaseSeconds: ReadonlyMap<string, number>
}

const INSERT_AT_ONCE = 500
/** As many delayed jobs at a time; the next look finds the rest. */
const LOOK_AT = 1000
/** Failed jobs stay this long for the operator to look at. */
const KEEP_FAILED_MS = 7 * 86_400_000

/** Jobs in a table of the embedded database. A taken job carries a lease, so that a killed process cannot keep it. */
export function createTableJobs({ db, clock, randomness, leaseSeconds }: TableJobsDeps): JobStorage {
  const now = (): number => clock.now().getTime()
  const mine = (job: TakenJob) => ({ id: idOf(job), lease_id: leaseOf(job) })

  return {
    async add(tx, job) {
      if (!leaseSeconds.has(job.name)) throw new Error(`No job of the name ${job.name} was registered with the queue.`)
      await tx
        .insertInto('jobs')
        .values(toRow(job, newSortableId('job', clock.now(), randomness), now()))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async addMany(tx, jobs) {
      for (let at = 0; at < jobs.length; at += INSERT_AT_ONCE) {
        const some = jobs.slice(at, at + INSERT_AT_ONCE)
        await tx
          .insertInto('jobs')
          .values(some.map((job) => toRow(job, newSortableId('job', clock.now(), randomness), now())))
          .execute()
      }
    },

    async listTakeable() {
      const { rows } = await sql<{ name: string }>`
        select distinct name from jobs
        where (state = 'waiting' and run_at <= ${now()}) or (state = 'running' and lease_until <= ${now()})`.execute(db)
      return new Set(rows.map(({ name }) => name))
    },

    async take(name, limit) {
      const lease = newSortableId('job', clock.now(), randomness)
      const leaseUntil = now() + (leaseSeconds.get(name) ?? 0) * 1000
      const { rows } = await sql<Pick<JobTable, 'id' | 'key' | 'payload' | 'attempt' | 'request_id'>>`
        update jobs set state = 'running', attempt = attempt + 1, lease_id = ${lease}, lease_until = ${leaseUntil}
        where id in (
          select id from jobs
          where name = ${name} and ((state = 'waiting' and run_at <= ${now()}) or (state = 'running' and lease_until <= ${now()}))
          order by run_at, id limit ${limit}
        )
        returning id, key, payload, attempt, request_id`.execute(db)
      return rows.map(({ id, key, payload, attempt, request_id }) => ({
        id: `${id}/${lease}`,
        name,
        payload: JSON.parse(payload) as unknown,
        key: key ?? undefined,
        attempt,
        requestId: request_id ?? undefined,
      }))
    },

    async finish(job) {
      await db.deleteFrom('jobs').where('id', '=', mine(job).id).where('lease_id', '=', mine(job).lease_id).execute()
    },

    async postpone(job, runAt) {
      await transaction(db, async (tx) => {
        const held = await tx
          .deleteFrom('jobs')
          .where('id', '=', mine(job).id)
          .where('lease_id', '=', mine(job).lease_id)
          .executeTakeFirst()
        if (held.numDeletedRows === 0n) return
        await tx
          .insertInto('jobs')
          .values(toRow({ ...job, runAt }, mine(job).id, now()))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      })
    },

    async giveUp(job) {
      await db
        .updateTable('jobs')
        .set({ state: 'failed', lease_id: null, lease_until: null, finished_at: now() })
        .where('id', '=', mine(job).id)
        .where('lease_id', '=', mine(job).lease_id)
        .execute()
      await db
        .deleteFrom('jobs')
        .where('state', '=', 'failed')
        .where('finished_at', '<', now() - KEEP_FAILED_MS)
        .execute()
    },

    async countWaiting(name) {
      const row = await db
        .selectFrom('jobs')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('name', '=', name)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      return row.n
    },

    async countDue() {
      const rows = await db
        .selectFrom('jobs')
        .select(['name', (select) => select.fn.countAll<number>().as('n')])
        .where('state', '=', 'waiting')
        .where('run_at', '<=', now())
        .groupBy('name')
        .execute()
      return new Map(rows.map(({ name, n }) => [name, n]))
    },

    async listDelayed(delayMs) {
      const rows = await db
        .selectFrom('jobs')
        .select(['id', 'name', 'attempt', 'run_at'])
        .where('state', '=', 'waiting')
        .where('run_at', '>', now() + delayMs)
        .limit(LOOK_AT)
        .execute()
      return rows.map(({ run_at, ...row }) => ({ ...row, delayMs: run_at - now() }))
    },

    async makeDueIn({ id }, delayMs) {
      await db
        .updateTable('jobs')
        .set({ run_at: now() + delayMs })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute()
    },

    async endLeases() {
      await db.updateTable('jobs').set({ lease_until: 0 }).where('state', '=', 'running').execute()
    },

    catchUp: async () => {},
    stop: async () => {},
  }
}

const toRow = (job: NewJob, id: string, createdAt: number) => ({
  id,
  name: job.name,
  key: job.key ?? null,
  payload: JSON.stringify(job.payload),
  attempt: job.attempt,
  state: 'waiting' as const,
  run_at: job.runAt.getTime(),
  lease_until: null,
  lease_id: null,
  created_at: createdAt,
  finished_at: null,
  request_id: job.requestId ?? null,
})

const idOf = (job: TakenJob): string => job.id.split('/')[0] ?? ''
const leaseOf = (job: TakenJob): string => job.id.split('/')[1] ?? ''
