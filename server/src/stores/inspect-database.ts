import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import Driver from 'libsql'
import type { Database, Db } from './database.ts'
import { readBeside } from './read-beside.ts'

/** One reading transaction: writers go on, and unlike the page-by-page copy it never has to begin again. */
export async function copyEmbedded(source: string, target: string): Promise<void> {
  await readBeside(source, 'vacuum into ?', [target])
}

/** The steps that were applied to a copy; throws when it is damaged. */
export function readStepsOf(path: string): string[] {
  const connection = new Driver(path)
  try {
    const { integrity_check: state } = connection.prepare('pragma integrity_check').get() as { integrity_check: string }
    if (state !== 'ok') throw new Error(`The copy is damaged: ${state}`)
    const rows = connection.prepare('select name from migrations order by name').all() as { name: string }[]
    return rows.map(({ name }) => name)
  } finally {
    connection.close()
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  }
}

export async function listSteps(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  return rows.map(({ name }) => name)
}

/** What it is, or what is wrong with it. */
export async function describeDatabase({ db, embeddedPath }: Database): Promise<{ isSound: boolean; words: string }> {
  if (!embeddedPath) {
    return describePostgres(db)
  }
  const rows = (await readBeside(embeddedPath, 'pragma integrity_check')) as { integrity_check: string }[]
  const state = rows[0]?.integrity_check
  return state === 'ok' ? { isSound: true, words: 'embedded, sound' } : { isSound: false, words: `damaged: ${state}` }
}

interface PostgresState {
  readonly version: string
  readonly checksums: string
  readonly failures: number
  readonly invalid: string | null
  readonly has_amcheck: boolean
}

/** What the server knows of damage by itself: pages whose checksum failed, indexes left half built; and, with the extension amcheck, the order in each index. */
async function describePostgres(db: Db): Promise<{ isSound: boolean; words: string }> {
  const { rows } = await sql<PostgresState>`select
    current_setting('server_version') as version,
    current_setting('data_checksums') as checksums,
    (select coalesce(checksum_failures, 0)::int from pg_stat_database where datname = current_database()) as failures,
    (select string_agg(indexrelid::regclass::text, ', ') from pg_index where not indisvalid) as invalid,
    exists (select 1 from pg_extension where extname = 'amcheck') as has_amcheck`.execute(db)
  const [state] = rows
  if (!state) return { isSound: false, words: 'PostgreSQL does not describe itself' }
  if (state.failures > 0)
    return { isSound: false, words: `damaged: ${state.failures} pages failed their checksum. Restore a backup` }
  if (state.invalid)
    return { isSound: false, words: `indexes that were not finished: ${state.invalid}. Run REINDEX on them` }
  const broken = state.has_amcheck ? await findBrokenIndex(db) : undefined
  if (broken) return { isSound: false, words: `damaged: ${broken}. Restore a backup` }
  const checked = state.has_amcheck ? 'indexes checked' : 'indexes not checked (extension amcheck is not installed)'
  return { isSound: true, words: `PostgreSQL ${state.version}, checksums ${state.checksums}, ${checked}` }
}

/** What amcheck says of the first index that is broken. */
async function findBrokenIndex(db: Db): Promise<string | undefined> {
  try {
    await sql`select bt_index_check(c.oid) from pg_class c
      join pg_am am on am.oid = c.relam join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'i' and am.amname = 'btree' and n.nspname = 'public'`.execute(db)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** By the clock of the database's own machine; undefined where that is the service's own. */
export async function readDatabaseClock({ db, dialect }: Database): Promise<number | undefined> {
  if (dialect === 'sqlite') return undefined
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  return Number(rows[0]?.ms)
}

/** When the newest event of any account happened. */
export async function findNewestEvent(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('security_events').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.at
}
