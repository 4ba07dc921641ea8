import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Driver from 'libsql'

export interface DataDirectoryLock {
  release(): void
}

export class DataDirectoryInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Another Assay process, a server or an operator command, is using ${resolve(dataDir)}. Stop it first, or give this one its own folder with DATA_DIR.`,
    )
    this.name = 'DataDirectoryInUse'
  }
}

/**
 * Makes this process the only one that uses the folder. The lock is an exclusive transaction that is never committed: the
 * operating system drops it with the process, however that ends, so no stale lock can be left behind.
 */
export function lockDataDirectory(dataDir: string): DataDirectoryLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const connection = new Driver(join(dataDir, 'serving.lock'))
  try {
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') throw new DataDirectoryInUse(dataDir)
    throw error
  }
  return {
    release() {
      connection.exec('rollback')
      connection.close()
    },
  }
}
