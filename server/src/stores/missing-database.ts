import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Driver from 'libsql'
import { DATABASE_FILE } from './sqlite-connection.ts'

/** Where there is a master secret there was a database: serving an empty one would look as if everybody's data were gone. */
export class DatabaseMissing extends Error {
  constructor(dataDir: string) {
    const folder = resolve(dataDir)
    super(
      `${folder} holds a master secret but ${existsSync(join(folder, DATABASE_FILE)) ? 'an empty' : 'no'} database. Restore a backup with \`assay-server restore <folder>\`, or, to begin anew without the data of before, remove ${join(folder, 'master-secret')}.`,
    )
    this.name = 'DatabaseMissing'
  }
}

export function refuseMissingDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, 'master-secret')) && isEmpty(join(dataDir, DATABASE_FILE))) {
    throw new DatabaseMissing(dataDir)
  }
}

function isEmpty(path: string): boolean {
  if (!existsSync(path)) return true
  // Until the first checkpoint everything is in the log.
  if (statSync(path).size === 0 && !existsSync(`${path}-wal`)) return true
  const connection = new Driver(path)
  try {
    const { n } = connection.prepare("select count(*) as n from sqlite_master where name = 'migrations'").get() as {
      n: number
    }
    return n === 0
  } finally {
    connection.close()
  }
}
