import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { systemClock } from '../core/clock.ts'
import { type Config, ConfigProblems, type Environment, readConfig } from '../core/config.ts'
import { createSecrets, readMasterSecret } from '../core/secrets.ts'
import { createSmtpGateway } from '../gateways/smtp.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import { DatabaseDamaged } from '../stores/damaged-database.ts'
import { connectPostgres, connectSqlite, type Database } from '../stores/database.ts'
import { createFillStore } from '../stores/fills.ts'
import { describeDatabase, findNewestEvent, listSteps, readDatabaseClock } from '../stores/inspect-database.ts'
import { DATABASE_FILE } from '../stores/sqlite-connection.ts'
import { createSweepStateStore } from '../stores/sweep-states.ts'
import { reachDatabase } from './reach-database.ts'

export interface Diagnosis {
  readonly about: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly words: string
}

const ok = (about: string, words: string): Diagnosis => ({ about, state: 'ok', words })
const warning = (about: string, words: string): Diagnosis => ({ about, state: 'warning', words })
const problem = (about: string, words: string): Diagnosis => ({ about, state: 'problem', words })

const MAX_SKEW_MS = 5000
const MIN_FREE_BYTES = 256 * 1024 * 1024

/** Looks at everything that has to be right, and changes nothing. */
export async function diagnose(environment: Environment): Promise<Diagnosis[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems.map((words) => problem('settings', words))
    throw error
  }
  return [
    ...checkSettings(config),
    ...checkFolder(config),
    ...(await checkDatabase(config)),
    ...(await checkMail(config)),
  ]
}

function checkSettings(config: Config): Diagnosis[] {
  const [major = 0] = process.versions.node.split('.').map(Number)
  return [
    major >= 20 ? ok('program', `Node ${process.versions.node}`) : problem('program', 'Node 20.19 or newer is needed'),
    ...(config.warnings.length === 0 ? [ok('settings', 'nothing to remark')] : []),
    ...config.warnings.map((words) => warning('settings', words)),
  ]
}

function checkFolder({ dataDir, databaseUrl }: Config): Diagnosis[] {
  if (databaseUrl) return []
  if (!existsSync(dataDir)) return [warning('folder', `${dataDir} does not exist yet; the first start makes it`)]
  const isOpen = (path: string): boolean => existsSync(path) && (statSync(path).mode & 0o077) !== 0
  const open = [dataDir, join(dataDir, DATABASE_FILE), join(dataDir, 'master-secret')].filter(isOpen)
  const { bavail, bsize } = statfsSync(dataDir)
  const free = Math.floor((bavail * bsize) / (1024 * 1024))
  return [
    open.length === 0
      ? ok('folder', 'readable by its owner alone')
      : problem('folder', `others on this machine can read ${open.join(', ')}`),
    bavail * bsize >= MIN_FREE_BYTES ? ok('disk', `${free} MB free`) : problem('disk', `only ${free} MB free`),
  ]
}

async function checkDatabase(config: Config): Promise<Diagnosis[]> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, DATABASE_FILE))) {
    return existsSync(join(config.dataDir, 'master-secret'))
      ? [problem('database', 'there is a master secret but no database: restore a backup')]
      : [warning('database', 'there is none yet; the first start makes it')]
  }
  try {
    return await reachDatabase(config, { act: 'inspect' }, () => inspectAlone(config))
  } catch (error) {
    if (error instanceof DatabaseDamaged) return [problem('database', error.message)]
    const { message, cause } = error as Error
    return [problem('database', cause instanceof Error ? cause.message || message : message)]
  }
}

async function inspectAlone(config: Config): Promise<Diagnosis[]> {
  const database = config.databaseUrl
    ? connectPostgres(config.databaseUrl, { maxConnections: 1 })
    : connectSqlite(config.dataDir)
  return inspectDatabase(config, database).finally(() => database.close())
}

/** What can be seen through an open database. */
export const inspectDatabase = async (config: Config, database: Database): Promise<Diagnosis[]> => [
  ...(await checkSchema(database)),
  await checkIntegrity(database),
  await checkClock(config, database),
  await checkKeys(config, database),
  ...(await checkSweeps(database)),
  ...(await checkRecords(database)),
]

async function checkSchema({ db }: Database): Promise<Diagnosis[]> {
  const applied = new Set(await listSteps(db))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) return [problem('schema', `written by a newer version: ${unknown.join(', ')}`)]
  const names = missing.map(({ name }) => name).join(', ')
  return [
    missing.length === 0
      ? ok('schema', `up to date (${applied.size} steps)`)
      : warning('schema', `${missing.length} steps are applied at the next start: ${names}`),
  ]
}

async function checkIntegrity(database: Database): Promise<Diagnosis> {
  const { isSound, words } = await describeDatabase(database)
  return isSound ? ok('database', words) : problem('database', words)
}

/** Compared with the database's clock and with the newest event, which cannot come from the future. */
async function checkClock(config: Config, database: Database): Promise<Diagnosis> {
  if (config.clockOffset) return warning('clock', 'moved by CLOCK_OFFSET')
  const now = systemClock().now().getTime()
  const skew = Math.round(((await readDatabaseClock(database)) ?? now) - now)
  if (Math.abs(skew) > MAX_SKEW_MS) return problem('clock', `the database's clock differs by ${skew} ms`)
  const newest = (await findNewestEvent(database.db)) ?? 0
  if (newest > now + MAX_SKEW_MS) {
    return problem('clock', `the newest event is of ${new Date(newest).toISOString()}, which is in the future`)
  }
  return ok('clock', new Date(now).toISOString())
}

async function checkKeys(config: Config, { db }: Database): Promise<Diagnosis> {
  const master = config.masterSecret ?? readMasterSecret(config.dataDir)
  if (!master) return problem('secrets', 'the master secret is missing: API keys cannot be opened')
  const secrets = createSecrets(master, config.masterSecretPrevious)
  const lost = await createApiKeyStore(db).countSealedByOthers(secrets.sealedStarts, systemClock().now().getTime())
  return lost === 0
    ? ok('secrets', 'every active API key can be opened')
    : problem('secrets', `${lost} active API keys were sealed by another master secret`)
}

/** A database of before may have no table for them yet. */
async function checkSweeps({ db }: Database): Promise<Diagnosis[]> {
  const waiting = await createSweepStateStore(db)
    .listWaiting()
    .catch(() => [])
  if (waiting.length === 0) return [ok('sweeps', 'none waits')]
  return waiting.map(({ name, held, trusted_at: trustedAt }) => {
    const why =
      held === null
        ? `the clock jumped from ${new Date(trustedAt).toISOString()}; it goes on by itself after a day`
        : `${held} rows or more would be deleted, far more than ever before`
    return problem(
      'sweeps',
      `${name} waits: ${why}. If that is right, run \`assay-server admin release-sweep ${name}\``,
    )
  })
}

/** A database of before may have no table for it yet. */
async function checkRecords({ db }: Database): Promise<Diagnosis[]> {
  const left = await createFillStore(db)
    .countLeft()
    .catch(() => undefined)
  if (left === undefined) return []
  return [
    left === 0
      ? ok('records', 'filled from every stored scan')
      : warning(
          'records',
          `${left} stored scans are still to be looked at for findings; the service does it by itself`,
        ),
  ]
}

async function checkMail({ smtpUrl }: Config): Promise<Diagnosis[]> {
  if (!smtpUrl) return [warning('mail', 'SMTP_URL is not set: mails stay in the outbox')]
  const gateway = createSmtpGateway({ url: smtpUrl })
  try {
    const reason = await gateway.findProblem()
    return [
      reason
        ? problem('mail', `the mail server does not take mails: ${reason}`)
        : ok('mail', 'the mail server answers'),
    ]
  } finally {
    gateway.close()
  }
}

const signs = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const

export const describeDiagnosis = ({ about, state, words }: Diagnosis): string =>
  `${signs[state]}  ${about.padEnd(9)} ${words}`
