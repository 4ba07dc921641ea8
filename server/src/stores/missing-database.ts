import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'
import { DATABASE_FILE } from './sqlite-connection.ts'

/** Where there is a master secret there was a database: serving an empty one would look as if everybody's data were gone. */
export class DatabaseMissing extends Error {
  constructor(dataDir: string, how: 'an empty' | 'no') {
    const folder = resolve(dataDir)
    super(
      `${folder} holds a master secret but ${how} database. Restore a backup with \`assay-server restore <folder>\`, or, to start over without the old data, remove ${join(folder, 'master-secret')}.`,
    )
    this.name = 'DatabaseMissing'
  }
}

const hasSecret = (dataDir: string): boolean => existsSync(join(dataDir, 'master-secret'))

/** Before the database is opened, which would make one. It is looked at by its path alone. */
export function refuseMissing(dataDir: string): void {
  if (!hasSecret(dataDir)) return
  const path = join(dataDir, DATABASE_FILE)
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size
  if (size(path) === undefined) throw new DatabaseMissing(dataDir, 'no')
  // Until the first checkpoint everything is in the log.
  if (size(path) === 0 && !size(`${path}-wal`)) throw new DatabaseMissing(dataDir, 'an empty')
}

/** The same, through the connection that will serve. */
export async function refuseEmptied(dataDir: string, db: Kysely<Schema>): Promise<void> {
  if (!hasSecret(dataDir)) return
  const { rows } = await sql`select 1 from sqlite_master where name = 'migrations'`.execute(db)
  if (rows.length === 0) throw new DatabaseMissing(dataDir, 'an empty')
}

/** Where there are accounts there was a secret: a new one would open none of their keys, and everybody would be refused. */
export class SecretMissing extends Error {
  constructor(dataDir: string) {
    const folder = resolve(dataDir)
    super(
      `${join(folder, DATABASE_FILE)} holds accounts but ${join(folder, 'master-secret')} is missing and MASTER_SECRET is not set. Put the file back from a backup, or set MASTER_SECRET to the secret of before. To go on without it, set MASTER_SECRET to a new one: the API keys, sessions and second factors of before then no longer work.`,
    )
    this.name = 'SecretMissing'
  }
}

export async function refuseMissingSecret(dataDir: string, db: Kysely<Schema>): Promise<void> {
  if (hasSecret(dataDir)) return
  const { rows } = await sql`select 1 from accounts limit 1`.execute(db)
  if (rows.length > 0) throw new SecretMissing(dataDir)
}
