import { type ExpressionBuilder, sql } from 'kysely'
import type { ScanStatus } from '../core/scan-status.ts'
import { type Db, isPostgres } from './database.ts'
import { isNamedLike, type ScanFilter } from './scans.ts'
import type { ScanRequestTable, Schema } from './schema.ts'

/** Rows of one statement: building it costs more for each row the longer it is, and on the embedded database nobody is served meanwhile. */
const BATCH = 100
/** Of one account, while others wait; the worker pool keeps to the same. */
const SHARE = 2
/** Accounts that are looked at for one scan: a lane may turn out to be empty. */
const LANES = 20

export interface RequestPage {
  readonly notBefore: number
  readonly limit: number
  readonly after?: string | undefined
  readonly isOldestFirst: boolean
  readonly statuses: readonly ScanStatus[]
  readonly filter: RequestFilter
}

/** What is known of a scan before it has a result. */
export type RequestFilter = Pick<
  ScanFilter,
  'kind' | 'via' | 'fileName' | 'nameContains' | 'project' | 'ref' | 'commit' | 'from' | 'to'
>

const matches =
  ({ kind, via, fileName, nameContains, project, ref, commit, from, to }: RequestFilter) =>
  (request: ExpressionBuilder<Schema, 'scan_requests'>) =>
    request.and([
      ...(kind === undefined ? [] : [request('kind', '=', kind)]),
      ...(via === undefined ? [] : [request('options', 'like', `%"via":"${via}"%`)]),
      ...(fileName === undefined ? [] : [request('file_name', '=', fileName)]),
      ...(nameContains === undefined ? [] : [isNamedLike('file_name', nameContains)]),
      ...(project === undefined ? [] : [request('project', '=', project)]),
      ...(ref === undefined ? [] : [request('ref', '=', ref)]),
      ...(commit === undefined ? [] : [request('commit_hash', '=', commit)]),
      ...(from === undefined ? [] : [request('created_at', '>=', from)]),
      ...(to === undefined ? [] : [request('created_at', '<', to)]),
    ])

export interface NewScanRequest {
  readonly request: ScanRequestTable
  readonly upload: Uint8Array
}

export type Ending = Pick<ScanRequestTable, 'status' | 'reason'> & { readonly at: number }

export function createScanRequestStore(db: Db) {
  return {
    /** Adds scans of one account, and gives it a turn among those that wait. */
    async queue(added: readonly NewScanRequest[]): Promise<void> {
      for (let at = 0; at < added.length; at += BATCH) {
        if (at > 0) await new Promise((resolve) => setImmediate(resolve))
        const some = added.slice(at, at + BATCH)
        await db
          .insertInto('scan_requests')
          .values(some.map(({ request }) => request))
          .execute()
        await db
          .insertInto('scan_uploads')
          .values(some.map(({ request, upload }) => ({ scan_id: request.id, upload })))
          .execute()
      }
      const [first] = added
      if (first) await openLane(db, first.request)
    },

    /** One that never waited: it failed while its client did. */
    async keepFailure(request: ScanRequestTable): Promise<void> {
      await db.insertInto('scan_requests').values(request).execute()
    },

    async find(accountId: string, id: string, notBefore: number): Promise<ScanRequestTable | undefined> {
      return db
        .selectFrom('scan_requests')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .executeTakeFirst()
    },

    /** Those without a result. */
    async list(accountId: string, page: RequestPage): Promise<ScanRequestTable[]> {
      const { notBefore, limit, after, isOldestFirst, statuses, filter } = page
      let query = db
        .selectFrom('scan_requests')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('status', 'in', statuses)
        .where('created_at', '>', notBefore)
        .where(matches(filter))
      if (after !== undefined) query = query.where('id', isOldestFirst ? '>' : '<', after)
      return query
        .orderBy('id', isOldestFirst ? 'asc' : 'desc')
        .limit(limit)
        .execute()
    },

    async count(
      accountId: string,
      { notBefore, statuses, filter }: Pick<RequestPage, 'notBefore' | 'statuses' | 'filter'>,
    ): Promise<number> {
      const row = await db
        .selectFrom('scan_requests')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('status', 'in', statuses)
        .where('created_at', '>', notBefore)
        .where(matches(filter))
        .executeTakeFirstOrThrow()
      return Number(row.n)
    },

    /** How many of its account's scans are begun before this one. */
    async countAhead({ account_id, id }: Pick<ScanRequestTable, 'account_id' | 'id'>): Promise<number> {
      const row = await db
        .selectFrom('scan_requests')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('account_id', '=', account_id)
        .where('status', '=', 'queued')
        .where('id', '<', id)
        .executeTakeFirstOrThrow()
      return Number(row.n)
    },

    /**
     * Takes the scan whose turn it is: better plans first, within a plan the account that was served longest ago, and of it the oldest. An
     * account that has its share of workers waits while another does. However many processes ask, each scan goes to one.
     */
    async take(instanceId: string, now: number): Promise<ScanRequestTable | undefined> {
      const { rows: lanes } = await sql<{ account_id: string; revision: number }>`
        select account_id, revision from scan_lanes order by
          case when (select count(*) from scan_requests r where r.account_id = scan_lanes.account_id and r.status = 'running')
            >= ${sql.lit(SHARE)} then 1 else 0 end, rank, turn, account_id
        limit ${sql.lit(LANES)}`.execute(db)
      for (const { account_id, revision } of lanes) {
        const taken = await takeOldest(db, account_id, instanceId, now)
        if (taken) return taken
        // Anyone who adds to a lane changes its revision, so one that is filled just now stays.
        await db
          .deleteFrom('scan_lanes')
          .where('account_id', '=', account_id)
          .where('revision', '=', revision)
          .execute()
      }
      return undefined
    },

    async findUpload(id: string): Promise<Uint8Array | undefined> {
      const row = await db.selectFrom('scan_uploads').select('upload').where('scan_id', '=', id).executeTakeFirst()
      return row?.upload
    },

    async isHeldBy(id: string, instanceId: string): Promise<boolean> {
      const row = await db
        .selectFrom('scan_requests')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'running')
        .where('instance_id', '=', instanceId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Of what this process works on. */
    async noteProgress(id: string, instanceId: string, done: number, total: number): Promise<void> {
      await sql`update scan_requests set files_done = ${done}, files_total = ${total}, revision = revision + 1
        where id = ${id} and status = 'running' and instance_id = ${instanceId}`.execute(db)
    },

    /** Ends one that this process works on; undefined when it is no longer its own. */
    async endHeld(id: string, instanceId: string, ending: Ending): Promise<ScanRequestTable | undefined> {
      const { rows } = await sql<ScanRequestTable>`
        update scan_requests set status = ${ending.status}, reason = ${ending.reason}, finished_at = ${ending.at},
          files_done = ${ending.status === 'completed' ? sql`files_total` : sql`files_done`}, instance_id = null, revision = revision + 1
        where id = ${id} and status = 'running' and instance_id = ${instanceId} returning *`.execute(db)
      if (rows[0]) await dropUpload(db, id)
      return rows[0]
    },

    /** Ends one that waits or is being worked on, no matter who does; undefined when it had ended. */
    async cancel(id: string, now: number): Promise<ScanRequestTable | undefined> {
      const { rows } = await sql<ScanRequestTable>`
        update scan_requests set status = 'cancelled', finished_at = ${now}, instance_id = null, revision = revision + 1
        where id = ${id} and status in ('queued', 'running') returning *`.execute(db)
      if (rows[0]) await dropUpload(db, id)
      return rows[0]
    },

    /** True for the one that may give the place back. */
    async letGoOfPlace(id: string): Promise<boolean> {
      const { numAffectedRows } =
        await sql`update scan_requests set holds_place = 0 where id = ${id} and holds_place = 1`.execute(db)
      return numAffectedRows === 1n
    },

    /** Back among those that wait, as if it had been begun so often and no more. */
    async giveBack(id: string, instanceId: string, attempts: number): Promise<boolean> {
      const { rows } = await sql<ScanRequestTable>`
        update scan_requests set status = 'queued', instance_id = null, attempts = ${attempts}, started_at = null,
          files_done = 0, revision = revision + 1
        where id = ${id} and status = 'running' and instance_id = ${instanceId} returning *`.execute(db)
      for (const row of rows) await openLane(db, row)
      return rows.length > 0
    },

    /**
     * Puts back what processes worked on that are gone, or that this one began a while ago and does not know of. Nobody can be alive beyond
     * `latest`: that was written by a clock that ran ahead.
     */
    async reviveLost({ now, latest, begunBefore, instanceId, isKnown }: Lost): Promise<string[]> {
      const { rows: held } = await sql<{ id: string; instance_id: string }>`
        select r.id, r.instance_id from scan_requests r
        left join instances i on i.id = r.instance_id and i.alive_until > ${now} and i.alive_until <= ${latest}
        where r.status = 'running' and r.instance_id is not null
          and (r.instance_id = ${instanceId} and r.started_at < ${begunBefore}
            or r.instance_id <> ${instanceId} and i.id is null)`.execute(db)
      const lost = held.filter(({ id, instance_id }) => instance_id !== instanceId || !isKnown(id))
      const revived: string[] = []
      for (const { id, instance_id } of lost) {
        const { rows } = await sql<ScanRequestTable>`
          update scan_requests set status = 'queued', instance_id = null, started_at = null, files_done = 0,
            revision = revision + 1
          where id = ${id} and status = 'running' and instance_id = ${instance_id} returning *`.execute(db)
        for (const row of rows) await openLane(db, row)
        revived.push(...rows.map((row) => row.id))
      }
      return revived
    },

    /** Every account with scans that wait has its turn, whatever went wrong between two statements. */
    async openLanes(): Promise<void> {
      await sql`insert into scan_lanes (account_id, rank, turn, revision)
        select account_id, min(rank), 0, 1 from scan_requests where status = 'queued' group by account_id
        on conflict (account_id) do nothing`.execute(db)
    },

    /** When the one was accepted that has waited longest. */
    async findOldestQueued(): Promise<number | undefined> {
      const row = await db
        .selectFrom('scan_requests')
        .select((select) => select.fn.min('created_at').as('at'))
        .where('status', '=', 'queued')
        .executeTakeFirst()
      return row?.at == null ? undefined : Number(row.at)
    },

    async countQueued(): Promise<number> {
      const row = await db
        .selectFrom('scan_requests')
        .select((select) => select.fn.countAll<number>().as('n'))
        // Written out, so that the index of what is queued serves it.
        .where(sql<boolean>`status = 'queued'`)
        .executeTakeFirstOrThrow()
      return Number(row.n)
    },

    /** False when there was none of this account that has ended. */
    async remove(accountId: string, id: string, notBefore: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('scan_requests')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .where('status', 'not in', ['queued', 'running'])
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

interface Lost {
  readonly now: number
  readonly latest: number
  readonly begunBefore: number
  readonly instanceId: string
  readonly isKnown: (id: string) => boolean
}

/** Its account was served last then. On PostgreSQL both are one statement: each that changes something waits for the disk. */
async function takeOldest(
  db: Db,
  accountId: string,
  instanceId: string,
  now: number,
): Promise<ScanRequestTable | undefined> {
  const skipLocked = isPostgres(db) ? sql`for update skip locked` : sql``
  const take = sql<ScanRequestTable>`
    update scan_requests set status = 'running', instance_id = ${instanceId}, attempts = attempts + 1,
      started_at = ${now}, revision = revision + 1
    where id = (
      select id from scan_requests where account_id = ${accountId} and status = 'queued' order by id limit 1 ${skipLocked}
    ) returning *`
  const turn = sql`update scan_lanes set turn = (select max(turn) + 1 from scan_lanes) where account_id = ${accountId}`
  if (isPostgres(db)) {
    const { rows } = await sql<ScanRequestTable>`
      with taken as (${take}), turned as (${turn} and exists (select 1 from taken)) select * from taken`.execute(db)
    return rows[0]
  }
  const { rows } = await take.execute(db)
  if (rows[0]) await turn.execute(db)
  return rows[0]
}

/** A new lane comes first: its account was served longest ago, never. */
async function openLane(db: Db, { account_id, rank }: Pick<ScanRequestTable, 'account_id' | 'rank'>): Promise<void> {
  await sql`insert into scan_lanes (account_id, rank, turn, revision) values (${account_id}, ${rank}, 0, 1)
    on conflict (account_id) do update set rank = ${rank}, revision = scan_lanes.revision + 1`.execute(db)
}

const dropUpload = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('scan_uploads').where('scan_id', '=', id).execute()
}
