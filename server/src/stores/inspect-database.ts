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
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
    return { isSound: true, words: `PostgreSQL ${rows[0]?.server_version}` }
  }
  const rows = (await readBeside(embeddedPath, 'pragma integrity_check')) as { integrity_check: string }[]
  const state = rows[0]?.integrity_check
  return state === 'ok' ? { isSound: true, words: 'embedded, sound' } : { isSound: false, words: `damaged: ${state}` }
}

/** By the clock of the database's own machine; undefined where that is ours. */
export async function readDatabaseClock({ db, dialect }: Database): Promise<number | undefined> {
  if (dialect === 'sqlite') return undefined
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  return Number(rows[0]?.ms)
}

/** When the newest event of any account happened. */
export async function findNewestEvent(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('security_events').select('at').orderBy('at', 'desc').limit(1).executeTakeFirst()
  return row?.at
}
