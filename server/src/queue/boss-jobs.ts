import { CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import PgBoss from 'pg-boss'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { Randomness } from '../core/randomness.ts'
import { type Db, transaction } from '../stores/database.ts'
import { withSchemaLock } from '../stores/schema-lock.ts'
import type { DelayedJob, JobStorage, NewJob, TakenJob } from './job-storage.ts'

export interface BossJobsDeps {
  readonly db: Db
  readonly pool: Pool
  readonly clock: Clock
  readonly randomness: Randomness
  readonly onError: (error: Error) => void
  /** How long a taken job is held, by name; only these names can be enqueued. */
  readonly leaseSeconds: ReadonlyMap<string, number>
}

/** What we keep beside the payload: the library counts tries and knows time only in its own way. */
interface Envelope {
  readonly payload: unknown
  readonly attempt: number
  readonly runAt: number
  readonly key: string | null
  /** Absent in those of an earlier release. */
  readonly requestId?: string | null
}

/** A lost process shows after this long at the latest, once its job's own time is over. */
const SUPERVISE_SECONDS = 10
/** Crashes are counted by us and end a job by its retry schedule; the library must never drop it before. */
const MANY_RETRIES = 10_000
const RETENTION_DAYS = 365
const INSERT_AT_ONCE = 1000
/** As many delayed jobs at a time; the next look finds the rest. */
const LOOK_AT = 1000

/**
 * Jobs kept by pg-boss in its own schema of the same database. Retries are done here (delete and insert in one transaction), because the
 * library knows only a fixed or doubling delay; taking, skipping locked rows and reviving lost jobs are the library's.
 */
export async function createBossJobs(deps: BossJobsDeps): Promise<JobStorage> {
  const { db, pool, clock, randomness, leaseSeconds } = deps
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    maintenanceIntervalSeconds: SUPERVISE_SECONDS,
    retentionDays: RETENTION_DAYS,
    retryLimit: MANY_RETRIES,
  })
  boss.on('error', deps.onError)
  // The library's own exclusion leaves a gap in which replicas that start together on an empty database fail.
  await withSchemaLock(pool, async () => {
    await boss.start()
    for (const name of leaseSeconds.keys()) await boss.createQueue(name, { name, policy: 'short' })
  })

  const leaseOf = (name: string): number =>
    leaseSeconds.get(name) ?? refuseUnknown(`No job of the name ${name} was registered with the queue.`)
  const inTransaction = (tx: Db) => ({
    executeSql: (text: string, values: unknown[]) => tx.executeQuery(CompiledQuery.raw(text, values)),
  })
  const secondsUntil = ({ runAt }: NewJob): number => Math.max(0, (runAt.getTime() - clock.now().getTime()) / 1000)
  // One waiting job per key is the policy of these queues, so a job without one needs a key of its own.
  const ownKey = (): string => newId('job', randomness)

  const storage: JobStorage = {
    async add(tx, job) {
      await boss.send(job.name, toEnvelope(job), {
        db: inTransaction(tx),
        startAfter: secondsUntil(job),
        singletonKey: job.key === undefined ? ownKey() : `key:${job.key}`,
        expireInSeconds: leaseOf(job.name),
      })
    },

    async addMany(tx, jobs) {
      for (let at = 0; at < jobs.length; at += INSERT_AT_ONCE) {
        const rows = jobs.slice(at, at + INSERT_AT_ONCE).map((job) => ({
          name: job.name,
          data: toEnvelope(job),
          startAfter: `${secondsUntil(job)} seconds`,
          singletonKey: ownKey(),
          expireInSeconds: leaseOf(job.name),
        }))
        await boss.insert(rows, { db: inTransaction(tx) })
      }
    },

    async listTakeable() {
      const { rows } = await sql<{ name: string }>`select distinct name from pgboss.job
        where state < 'active' and start_after < now()`.execute(db)
      return new Set(rows.map(({ name }) => name))
    },

    async take(name, limit) {
      const rows = await boss.fetch<Envelope>(name, { batchSize: limit, includeMetadata: true })
      return rows.map(({ id, data, retryCount }) => ({
        id,
        name,
        payload: data.payload,
        key: data.key ?? undefined,
        attempt: data.attempt + retryCount + 1,
        requestId: data.requestId ?? undefined,
      }))
    },

    async finish(job) {
      await boss.deleteJob(job.name, job.id)
    },

    async postpone(job, runAt) {
      await transaction(db, async (tx) => {
        if (!(await removeTaken(tx, job))) return
        await storage.add(tx, { ...job, runAt } satisfies NewJob)
      })
    },

    async giveUp(job) {
      await boss.cancel(job.name, job.id)
    },

    countWaiting: (name) => boss.getQueueSize(name),

    async countDue() {
      const { rows } = await sql<{ name: string; n: number }>`select name, count(*) as n from pgboss.job
        where state < 'active' and start_after < now() group by name`.execute(db)
      return new Map(rows.map(({ name, n }) => [name, Number(n)]))
    },

    async catchUp() {
      await boss.expire()
      const due = clock.now().getTime()
      await sql`update pgboss.job set start_after = now() - interval '1 second'
        where state < 'active' and start_after >= now() and (data->>'runAt')::bigint <= ${due}`.execute(db)
    },

    async listDelayed(delayMs) {
      const at = clock.now().getTime()
      const { rows } = await sql<DelayedJob>`select * from (
          select id, name, (data->>'attempt')::int + retry_count as "attempt",
            greatest(extract(epoch from start_after - now()) * 1000, (data->>'runAt')::bigint - ${at}) as "delayMs"
          from pgboss.job where state < 'active'
        ) waiting where "delayMs" > ${delayMs} limit ${LOOK_AT}`.execute(db)
      return rows.map((row) => ({ ...row, delayMs: Number(row.delayMs) }))
    },
    async makeDueIn({ id, name }, delayMs) {
      const runAt = clock.now().getTime() + delayMs
      await sql`update pgboss.job set start_after = now() + ${delayMs / 1000} * interval '1 second',
          data = jsonb_set(data, '{runAt}', to_jsonb(${runAt}::bigint))
        where name = ${name} and id = ${id}::uuid and state < 'active'`.execute(db)
    },
    // Other replicas may always be there.
    endLeases: async () => {},

    stop: () => boss.stop({ graceful: false, close: false }),
  }
  return storage
}

const toEnvelope = (job: NewJob): Envelope & object => ({
  payload: job.payload,
  attempt: job.attempt,
  runAt: job.runAt.getTime(),
  key: job.key ?? null,
  requestId: job.requestId ?? null,
})

function refuseUnknown(words: string): never {
  throw new Error(words)
}

/** False when the lease had ended and the job is someone else's by now. */
async function removeTaken(tx: Db, job: TakenJob): Promise<boolean> {
  const removed =
    await sql`delete from pgboss.job where name = ${job.name} and id = ${job.id}::uuid and state = 'active'`.execute(tx)
  return removed.numAffectedRows === 1n
}
