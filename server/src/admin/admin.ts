import { type Clock, systemClock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { createLog } from '../core/log.ts'
import { type Randomness, systemRandomness } from '../core/randomness.ts'
import { createSecrets, obtainMasterSecret, type Secrets } from '../core/secrets.ts'
import { jobKinds } from '../jobs/index.ts'
import { createQueue, type Queue } from '../queue/queue.ts'
import { createKeyAuthenticator, type KeyAuthenticator } from '../services/authenticate-key.ts'
import { createPasswords, type Passwords } from '../services/passwords.ts'
import { type Db, openDatabase } from '../stores/database.ts'
import { refuseMissingSecret } from '../stores/missing-database.ts'

/** What operator commands touch: the database and the queue, not the service. */
export interface Admin {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly randomness: Randomness
  readonly queue: Queue
  readonly passwords: Passwords
  readonly keyAuthenticator: KeyAuthenticator
  close(): Promise<void>
}

export async function openAdmin(config: Config): Promise<Admin> {
  const log = createLog({ level: 'warn' })
  const clock = systemClock(config.clockOffset)
  const randomness = systemRandomness
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir })
  if (!config.masterSecret) await refuseMissingSecret(config.dataDir, database.db)
  const master = config.masterSecret ?? obtainMasterSecret(config.dataDir, randomness)
  const secrets = createSecrets(master, config.masterSecretPrevious, randomness)
  const queue = await createQueue({ database, clock, randomness, log }, jobKinds)
  return {
    config,
    db: database.db,
    clock,
    secrets,
    randomness,
    queue,
    passwords: createPasswords({ parallel: 1 }),
    keyAuthenticator: createKeyAuthenticator({ db: database.db, clock, secrets }),
    async close() {
      await queue.stop()
      await database.close()
    },
  }
}
