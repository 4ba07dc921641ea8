import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { migrations } from '../../migrations/index.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { type Randomness, randomHex, systemRandomness } from '../core/randomness.ts'
import { lockDataDirectory } from '../stores/data-directory-lock.ts'
import { connectPostgres, connectSqlite, type Database } from '../stores/database.ts'
import { copyEmbedded, readStepsOf } from '../stores/inspect-database.ts'
import { createOperatorMarkStore } from '../stores/operator-marks.ts'
import { keptSchemas, setSchemasAside } from '../stores/set-aside-schemas.ts'
import { DATABASE_FILE } from '../stores/sqlite-connection.ts'
import { reachDatabase } from './reach-database.ts'

/** A folder with the database as one file, the master secret if the service made it, and what tells a whole backup from half of one. */
const manifestSchema = z.object({
  createdAt: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  file: z.string(),
  sha256: z.string(),
  migrations: z.array(z.string()),
})
type Manifest = z.infer<typeof manifestSchema>

const MANIFEST = 'backup.json'
const SECRET = 'master-secret'
const DUMP = 'assay.dump'

type StorageConfig = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Makes a consistent copy beside a running service, which goes on writing meanwhile. */
export async function backUp(config: StorageConfig, clock: Clock, folder: string): Promise<string[]> {
  const target = resolve(folder)
  if (existsSync(join(target, MANIFEST))) throw new Error(`${target} already holds a backup. Name another folder.`)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const manifest = config.databaseUrl
    ? dumpPostgres(config.databaseUrl, clock, target)
    : await copySqlite(config, clock, target)
  const secret = join(config.dataDir, SECRET)
  const hasSecret = !config.databaseUrl && existsSync(secret)
  if (hasSecret) copyPrivately(secret, join(target, SECRET))
  writeFileSync(join(target, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  const noted = await reachDatabase(config, { act: 'note-backup' }, () => noteAlone(config, clock)).then(
    () => [],
    (error: Error) => [`its moment could not be noted for the metrics: ${error.message}`],
  )
  return [
    `backed up to ${join(target, manifest.file)}`,
    hasSecret
      ? 'with the master secret: anyone with this folder can read every API key'
      : 'without the master secret: keep MASTER_SECRET apart, sealed API keys cannot be read without it',
    ...noted,
  ]
}

/** So that the service can tell how old the last backup is. */
export const noteBackup = ({ db }: Pick<Database, 'db'>, clock: Clock): Promise<void> =>
  createOperatorMarkStore(db).set('backup', clock.now().getTime())

async function noteAlone({ databaseUrl, dataDir }: StorageConfig, clock: Clock): Promise<void> {
  const database = databaseUrl ? connectPostgres(databaseUrl, { maxConnections: 1 }) : connectSqlite(dataDir)
  await noteBackup(database, clock).finally(() => database.close())
}

async function copySqlite(config: StorageConfig, clock: Clock, target: string): Promise<Manifest> {
  const { dataDir } = config
  if (!existsSync(join(dataDir, DATABASE_FILE))) throw new Error(`There is no database in ${dataDir}.`)
  const made = await reachDatabase(config, { act: 'copy' }, () => copyDatabase(dataDir, systemRandomness))
  const copy = join(target, DATABASE_FILE)
  move(join(dataDir, made), copy)
  chmodSync(copy, 0o600)
  return { ...describeFile(copy, clock), database: 'sqlite', file: DATABASE_FILE, migrations: readStepsOf(copy) }
}

/** Beside the database, where the service may write: the command that requested it moves it on. */
export async function copyDatabase(dataDir: string, randomness: Randomness): Promise<string> {
  const name = `${COPY}${randomHex(randomness, 8)}`
  await copyEmbedded(join(dataDir, DATABASE_FILE), join(dataDir, name))
  return name
}

const COPY = `${DATABASE_FILE}.copy-`
/** A copy that nobody came for. */
export const isCopy = (file: string): boolean => file.startsWith(COPY)

function move(from: string, to: string): void {
  copyFileSync(from, to)
  rmSync(from)
}

function dumpPostgres(url: string, clock: Clock, target: string): Manifest {
  const dump = join(target, DUMP)
  runTool('pg_dump', [
    '--format=custom',
    '--no-owner',
    `--exclude-schema=${keptSchemas}`,
    `--file=${dump}`,
    `--dbname=${url}`,
  ])
  chmodSync(dump, 0o600)
  return {
    ...describeFile(dump, clock),
    database: 'postgres',
    file: DUMP,
    migrations: migrations.map(({ name }) => name),
  }
}

/** Puts a backup in place of what is there, which is kept aside. Nothing may be serving meanwhile. */
export async function restore(config: StorageConfig, clock: Clock, folder: string): Promise<string[]> {
  const source = resolve(folder)
  const manifest = readManifest(source)
  const isEmbedded = !config.databaseUrl
  if ((manifest.database === 'sqlite') !== isEmbedded) {
    throw new Error(
      `This is a backup of ${manifest.database === 'sqlite' ? 'an embedded database: unset' : 'PostgreSQL: set'} DATABASE_URL.`,
    )
  }
  refuseDamaged(source, manifest)
  const said = `restored the state of ${manifest.createdAt}`
  if (config.databaseUrl) return [...(await restoreDump(config.databaseUrl, clock, join(source, DUMP))), said]
  const lock = lockDataDirectory(config.dataDir)
  try {
    return [...restoreFiles(config.dataDir, clock, source), said]
  } finally {
    lock.release()
  }
}

async function restoreDump(url: string, clock: Clock, dump: string): Promise<string[]> {
  const { kept, undo } = await setSchemasAside(url, clock.now())
  try {
    runTool('pg_restore', ['--no-owner', '--single-transaction', `--dbname=${url}`, dump])
  } catch (error) {
    await undo()
    throw error
  }
  return kept.map((schema) => `kept what was there as the schema ${schema}`)
}

function restoreFiles(dataDir: string, clock: Clock, source: string): string[] {
  const said: string[] = []
  const suffix = `before-${clock.now().toISOString().replace(/[:.]/g, '-')}`
  const setAside = (file: string): void => {
    const path = join(dataDir, file)
    if (!existsSync(path)) return
    renameSync(path, `${path}.${suffix}`)
    said.push(`kept what was there as ${path}.${suffix}`)
  }
  for (const file of [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`]) setAside(file)
  copyPrivately(join(source, DATABASE_FILE), join(dataDir, DATABASE_FILE))
  const secret = join(source, SECRET)
  if (existsSync(secret) && !isSame(secret, join(dataDir, SECRET))) {
    setAside(SECRET)
    copyPrivately(secret, join(dataDir, SECRET))
  }
  return said
}

function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST)
  if (!existsSync(path))
    throw new Error(`${folder} holds no ${MANIFEST}: it is no backup, or one that was not finished.`)
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
}

function refuseDamaged(folder: string, manifest: Manifest): void {
  const file = join(folder, manifest.file)
  if (!existsSync(file) || hashOf(file) !== manifest.sha256)
    throw new Error(`${file} is not the file that was backed up.`)
  const known = new Set(migrations.map(({ name }) => name))
  const newer = manifest.migrations.filter((name) => !known.has(name))
  if (newer.length > 0)
    throw new Error(`This backup was made by a newer version (${newer.join(', ')}). Update the program first.`)
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const describeFile = (file: string, clock: Clock) => ({ createdAt: clock.now().toISOString(), sha256: hashOf(file) })
const isSame = (left: string, right: string): boolean =>
  existsSync(right) && readFileSync(left).equals(readFileSync(right))

function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}

/** The tools of PostgreSQL do this better than anything written here could; the address may hold a password, so it is never printed. */
function runTool(tool: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(tool, args, { encoding: 'utf8' })
  if (error)
    throw new Error(
      `${tool} could not be started: install the client tools of PostgreSQL (${(error as NodeJS.ErrnoException).code}).`,
    )
  if (status !== 0)
    throw new Error(`${tool} failed: ${stderr.split('\n').find((line) => line.includes('error')) ?? ''}`)
}
