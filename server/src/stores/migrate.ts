import { type Kysely, sql } from 'kysely'
import { type ColumnTypes, type Migration, migrations } from '../../migrations/index.ts'
import type { Schema } from './schema.ts'
import { SCHEMA_LOCK } from './schema-lock.ts'

const COLUMN_TYPES = {
  sqlite: { bytes: 'blob' },
  postgres: { bytes: 'bytea' },
} satisfies Record<string, ColumnTypes>

interface Migratable {
  readonly db: Kysely<Schema>
  readonly dialect: keyof typeof COLUMN_TYPES
}

/**
 * Applies what is missing, all of it or nothing, in one transaction that only one process can hold at a time; replicas that start
 * together wait for the first and then find nothing to do. Forward only.
 */
export async function migrate(database: Migratable, list: readonly Migration[] = migrations) {
  await database.db.transaction().execute(async (tx) => {
    // On SQLite every transaction is immediate, which is the same exclusion between processes.
    if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(tx)
    await sql`create table if not exists migrations (
      name text primary key,
      applied_at text not null default (cast(current_timestamp as text))
    )`.execute(tx)
    const applied = await readApplied(tx)
    refuseNewerDatabase(applied, list)
    for (const migration of list) {
      if (applied.has(migration.name)) continue
      await migration.up(tx as unknown as Kysely<unknown>, COLUMN_TYPES[database.dialect])
      await sql`insert into migrations (name) values (${migration.name})`.execute(tx)
    }
  })
}

async function readApplied(tx: Kysely<Schema>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx)
  return new Set(rows.map((row) => row.name))
}

function refuseNewerDatabase(applied: ReadonlySet<string>, list: readonly Migration[]): void {
  const known = new Set(list.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new Error(
    `This database was written by a newer version of Assay (${unknown.sort().join(', ')}). Update the program, or restore a backup made before.`,
  )
}
