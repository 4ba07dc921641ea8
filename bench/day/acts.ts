import { cpSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../server/src/stores/database.ts'
import type { ServerSettings } from '../../server/src/testing/spawn-server.ts'
import { newFolder } from '../chaos/stage.ts'
import { type Running, root, runAdmin, type Said } from '../old-program.ts'
import type { ThrowawayPostgres } from '../throwaway-postgres.ts'
import type { Clients } from './clients.ts'

/** What the acts of one day share. */
export interface Day {
  readonly settings: ServerSettings
  readonly postgres: ThrowawayPostgres | undefined
  readonly clients: Clients
  /** Everything that an operator made and had acknowledged. */
  readonly accounts: Set<string>
  readonly keys: string[]
  readonly backups: string[]
  readonly service: Running
  /** `assay-server <args>`; fails when the command does. */
  command(...args: string[]): string
  run(...args: string[]): Said
  /** Stops or kills the service, does what may only be done while it is down, and starts it. */
  restart(how: 'stop' | 'kill', meanwhile?: () => Promise<void>): Promise<void>
}

const KILLED_COUNTS_MS = 16_000

/** Says what it saw; throws when something is not as promised. */
export type Act = (day: Day) => Promise<string>

const demand = (isTrue: boolean, words: string): void => {
  if (!isTrue) throw new Error(words)
}

const backUp: Act = async ({ clients, backups, command, settings }) => {
  const before = [...clients.answered]
  const folder = path.join(newFolder(), 'backup')
  command('backup', folder)
  backups.push(folder)
  const ids = settings.databaseUrl ? undefined : await idsIn(folder)
  const lacking = ids ? before.filter((id) => !ids.has(id)).length : 0
  demand(lacking === 0, `the backup lacks ${lacking} of ${before.length} scans`)
  return ids ? `holds all ${before.length} answered before it` : 'made'
}

/** Reads a copy: opening a database writes to it, and a backup is restored only as it was made. */
async function idsIn(folder: string): Promise<Set<string>> {
  const dataDir = path.join(newFolder(), 'copy')
  cpSync(folder, dataDir, { recursive: true })
  const database = await openDatabase({ dataDir })
  const ids = new Set((await database.db.selectFrom('scans').select('id').execute()).map(({ id }) => id))
  await database.close()
  return ids
}

async function newestBackup(day: Day): Promise<string> {
  if (day.backups.length === 0) await backUp(day)
  return day.backups.at(-1) ?? ''
}

const doctor: Act = async ({ run }) => {
  const { code, stdout } = run('doctor')
  demand(code === 0, `the doctor found: ${stdout.split('\n').filter((line) => /problem/i.test(line))}`)
  return `${stdout.trim().split('\n').length} lines, no problem`
}

const operate: Act = async ({ accounts, keys, command }) => {
  const email = `person-${accounts.size}@example.com`
  command('create-account', email, '--plan', 'basic')
  accounts.add(email)
  keys.push(command('create-key', email).trim())
  command('limits', email, '--scans-per-day', '7')
  demand(command('limits', email).includes('7'), 'the limit was not kept')
  command('set-plan', email, 'pro')
  command('limits', email, '--clear')
  return 'account, key, limits, plan'
}

const killed: Act = ({ restart }) => restart('kill').then(() => 'serves again')
const stopped: Act = ({ restart }) => restart('stop').then(() => 'serves again')

/** Down, backed up, put back, up: nothing may be lost by it. A process that was killed a moment ago still counts as running, which the refusal says. */
const restored: Act = async ({ restart, run, command, clients }) => {
  const folder = path.join(newFolder(), 'backup')
  await restart('stop', async () => {
    command('backup', folder)
    const { code, stderr } = run('restore', folder)
    if (code === 0) return
    demand(stderr.includes('one that was killed counts as running'), stderr)
    await sleep(KILLED_COUNTS_MS)
    command('restore', folder)
  })
  return `${clients.answered.length} answered before it`
}

const refusedRestore: Act = async (day) => {
  const { code, stderr } = day.run('restore', await newestBackup(day))
  const isRefused = code !== 0 && stderr.includes('Another Assay process')
  demand(isRefused, `a restore under the running service: ${stderr.trim() || 'not refused'}`)
  return stderr.trim().slice(0, 60)
}

/** An older backup put in place elsewhere, as a drill. */
const drill: Act = async (day) => {
  const folder = await newestBackup(day)
  const elsewhere = { dataDir: path.join(newFolder(), 'drill') }
  const { code, stderr } = runAdmin(root, elsewhere, ['restore', folder])
  demand(code === 0, stderr)
  const check = runAdmin(root, elsewhere, ['doctor'])
  demand(check.code === 0, check.stdout)
  return `${(await idsIn(elsewhere.dataDir)).size} scans`
}

const databaseRestarted =
  (mode: 'fast' | 'immediate'): Act =>
  async ({ postgres }) => {
    postgres?.stop(mode)
    await sleep(1000)
    postgres?.start()
    return 'back'
  }

const shared: Readonly<Record<string, Act>> = {
  'backup beside the service': backUp,
  doctor,
  'operator commands': operate,
  'kill -9 and start': killed,
  'clean stop and start': stopped,
  'stop, backup, restore, start': restored,
}

export const actsOf = (kind: 'embedded' | 'postgres'): Readonly<Record<string, Act>> => ({
  ...shared,
  ...(kind === 'embedded'
    ? { 'restore under the service is refused': refusedRestore, 'backup restored elsewhere': drill }
    : { 'PostgreSQL restarted': databaseRestarted('fast'), 'PostgreSQL crashed': databaseRestarted('immediate') }),
})
