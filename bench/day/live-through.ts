import path from 'node:path'
import { openDatabase } from '../../server/src/stores/database.ts'
import { describeDatabase } from '../../server/src/stores/inspect-database.ts'
import { findBrokenPromises } from '../../server/src/testing/invariants.ts'
import type { SeededRandom } from '../../server/src/testing/seeded-random.ts'
import { newFolder, until } from '../chaos/stage.ts'
import { type Running, root, runAdmin, startProgram } from '../old-program.ts'
import { createThrowawayPostgres } from '../throwaway-postgres.ts'
import { type Act, actsOf, type Day } from './acts.ts'
import { startClients } from './clients.ts'

interface DaySettings {
  readonly kind: 'embedded' | 'postgres'
  /** Folder of the older program. */
  readonly old: string
  readonly random: SeededRandom
  readonly ms: number
}

export interface LivedDay {
  readonly rows: string[][]
  readonly checks: { readonly check: string; readonly isHeld: boolean; readonly saw: string }[]
}

const OLD_SCANS = 20
const many = '1000000000'

export async function liveThroughDay({ kind, old, random, ms }: DaySettings): Promise<LivedDay> {
  const postgres = kind === 'postgres' ? await createThrowawayPostgres() : undefined
  const settings = { dataDir: path.join(newFolder(), 'data'), ...(postgres && { databaseUrl: postgres.url }) }
  const command = (program: string, ...args: string[]): string => {
    const { code, stdout, stderr } = runAdmin(program, settings, args)
    if (code !== 0) throw new Error(`assay-server ${args.join(' ')}: ${stderr || stdout}`)
    return stdout
  }
  command(old, 'create-account', 'ada@example.com', '--plan', 'pro')
  command(old, 'limits', 'ada@example.com', '--scans-per-day', many, '--requests-per-hour', many)
  const key = command(old, 'create-key', 'ada@example.com').trim()
  let service: Running = await startProgram(old, settings)
  const clients = startClients(() => service.url, key)
  const day: Day = {
    settings,
    postgres,
    clients,
    accounts: new Set(['ada@example.com']),
    keys: [key],
    backups: [],
    command: (...args) => command(root, ...args),
    run: (...args) => runAdmin(root, settings, args),
    get service() {
      return service
    },
    async restart(how, meanwhile) {
      await service[how]()
      try {
        await meanwhile?.()
      } finally {
        service = await startProgram(root, settings)
      }
    },
  }
  try {
    await until(() => clients.answered.length >= OLD_SCANS)
    const lived = new Map<string, { times: number; slowestMs: number; saw: string }>()
    const perform = async ([name, act]: readonly [string, Act]): Promise<void> => {
      const started = performance.now()
      const outcome = await act(day).catch((error: Error) => `FAILED: ${error.message.split('\n')[0]}`)
      const ms = performance.now() - started
      const answered = clients.answered.length
      const isServing = await until(() => clients.answered.length > answered)
      const saw = isServing ? outcome : 'FAILED: no client was answered after it'
      const before = lived.get(name)
      lived.set(name, {
        times: (before?.times ?? 0) + 1,
        slowestMs: Math.max(before?.slowestMs ?? 0, ms),
        // A failure is never hidden by what came after it.
        saw: before?.saw.startsWith('FAILED') ? before.saw : saw,
      })
    }
    const end = Date.now() + ms
    await perform(['upgrade, the old program killed', ({ restart }) => restart('kill').then(() => 'serves')])
    const acts = Object.entries(actsOf(kind))
    for (let round = 0; round === 0 || Date.now() < end; round++) {
      for (const act of random.shuffle(acts)) {
        if (round > 0 && Date.now() >= end) break
        await perform(act)
      }
    }
    const said = await clients.stop()
    return {
      rows: [...lived].map(([name, { times, slowestMs, saw }]) => [
        name,
        `${times}`,
        (slowestMs / 1000).toFixed(1),
        saw,
      ]),
      checks: [
        {
          check: 'every act came to its end',
          isHeld: [...lived.values()].every(({ saw }) => !saw.startsWith('FAILED')),
          saw: `${[...lived.values()].reduce((sum, { times }) => sum + times, 0)} acts`,
        },
        ...(await judge(day, said)),
      ],
    }
  } finally {
    await clients.stop()
    await service.kill()
    postgres?.remove()
  }
}

async function judge(day: Day, said: string): Promise<LivedDay['checks']> {
  const { clients, settings, keys, accounts } = day
  const statuses = await Promise.all(
    keys.map(
      async (key) => (await fetch(`${day.service.url}/api/v1/scans?limit=1`, { headers: { 'x-api-key': key } })).status,
    ),
  )
  // Scans that wait are done by the service before it is stopped.
  await until(async () => (await countOpen(day)) === 0)
  await day.service.stop()
  const database = await openDatabase(settings)
  const { db } = database
  const stored = new Set((await db.selectFrom('scans').select('id').execute()).map(({ id }) => id))
  const emails = new Set((await db.selectFrom('accounts').select('email').execute()).map(({ email }) => email))
  const broken = await findBrokenPromises(db)
  const { isSound, words } = await describeDatabase(database)
  await database.close()
  const missing = [...clients.answered, ...clients.accepted].filter((id) => !stored.has(id)).length
  const lost = [...accounts].filter((email) => !emails.has(email)).length
  const working = statuses.filter((status) => status === 200).length
  return [
    {
      check: 'everything that was answered or accepted has its result',
      isHeld: missing === 0 && stored.size > 0,
      saw: `${said}, ${missing} missing`,
    },
    {
      check: 'each result is charged once, every accepted scan ended, no place is held',
      isHeld: broken.length === 0,
      saw: broken.join('; ') || `${stored.size} results`,
    },
    { check: 'accounts are there', isHeld: lost === 0, saw: `${accounts.size} made, ${lost} lost` },
    { check: 'keys work', isHeld: working === keys.length, saw: `${working} of ${keys.length}` },
    { check: 'the database is sound', isHeld: isSound, saw: words },
  ]
}

/** How many scans have not ended, as the operator can see it. */
async function countOpen({ service, keys }: Day): Promise<number> {
  const headers = { 'x-api-key': keys[0] ?? '' }
  const counts = await Promise.all(
    ['queued', 'running'].map(async (status) => {
      const answer = await fetch(`${service.url}/api/v1/scans?status=${status}&limit=1`, { headers })
      const { data } = (await answer.json()) as { data?: { scans?: unknown[] } }
      return data?.scans?.length ?? 1
    }),
  )
  return counts.reduce((sum, n) => sum + n, 0)
}
