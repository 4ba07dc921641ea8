import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testClock } from '../core/clock.ts'
import { type Config, readConfig } from '../core/config.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { lockDataDirectory } from '../stores/data-directory-lock.ts'
import type { DatabaseSettings } from '../stores/database.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { type Admin, openAdmin } from './admin.ts'
import { backUp, restore } from './backup.ts'
import { findCommand } from './commands.ts'
import { diagnose } from './doctor.ts'

const clock = testClock()

async function withAdmin<T>(config: Config, act: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = await openAdmin(config)
  try {
    return await act(admin)
  } finally {
    await admin.close()
  }
}
const run = (admin: Admin, name: string, ...args: string[]) =>
  findCommand(name)?.run(admin, args) ?? Promise.resolve([])
const emails = async (config: Config) =>
  withAdmin(config, async ({ db }) =>
    (await db.selectFrom('accounts').select('email').orderBy('email').execute()).map(({ email }) => email),
  )

test('a backup made while the service writes is whole, and a restore brings back accounts and keys', async () => {
  const config = readConfig({ DATA_DIR: join(temporaryFolder(), 'data') })
  const folder = join(temporaryFolder(), 'backup')
  const key = await withAdmin(config, async (admin) => {
    await run(admin, 'create-account', 'ada@example.com')
    const [made = ''] = await run(admin, 'create-key', 'ada@example.com')
    // The connection is open, the log not folded, and a write is under way.
    const writing = run(admin, 'create-account', 'meanwhile@example.com')
    expect((await backUp(config, clock, folder))[0]).toContain('assay.db')
    await writing
    await run(admin, 'create-account', 'later@example.com')
    return made
  })
  expect(readdirSync(folder).sort()).toEqual(['assay.db', 'backup.json', 'master-secret'])
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0)
  expect(await emails(config)).toContain('later@example.com')

  expect((await restore(config, clock, folder)).at(-1)).toBe('restored the state of 2026-03-10T12:00:00.000Z')
  expect(await emails(config)).not.toContain('later@example.com')
  expect(await withAdmin(config, ({ keyAuthenticator }) => keyAuthenticator.authenticate(key))).toMatchObject({
    via: 'key',
  })
  // What was there before is still there.
  expect(readdirSync(config.dataDir).some((file) => file.startsWith('assay.db.before-'))).toBe(true)
})

test('a restore into an empty folder brings the master secret along', async () => {
  const config = readConfig({ DATA_DIR: temporaryFolder() })
  const folder = join(temporaryFolder(), 'backup')
  const key = await withAdmin(config, async (admin) => {
    await run(admin, 'create-account', 'ada@example.com')
    const [made = ''] = await run(admin, 'create-key', 'ada@example.com')
    return made
  })
  await backUp(config, clock, folder)
  const elsewhere = readConfig({ DATA_DIR: join(temporaryFolder(), 'new') })
  await restore(elsewhere, clock, folder)
  await withAdmin(elsewhere, async (admin) => {
    expect(await admin.keyAuthenticator.authenticate(key)).toMatchObject({ via: 'key' })
    expect(await createAccountStore(admin.db).findByEmail('ada@example.com')).toBeDefined()
  })
})

test('refused: a second backup in one place, half a backup, a damaged one, and a restore under a running service', async () => {
  const config = readConfig({ DATA_DIR: temporaryFolder() })
  await withAdmin(config, (admin) => run(admin, 'create-account', 'ada@example.com'))
  const folder = join(temporaryFolder(), 'backup')
  await backUp(config, clock, folder)
  await expect(backUp(config, clock, folder)).rejects.toThrow('already holds a backup')
  await expect(restore(config, clock, temporaryFolder())).rejects.toThrow(
    'it is no backup, or one that was not finished',
  )
  const lock = lockDataDirectory(config.dataDir)
  await expect(restore(config, clock, folder)).rejects.toThrow(
    'Another Assay process, a server or an operator command, is using',
  )
  lock.release()
  appendFileSync(join(folder, 'assay.db'), 'x')
  await expect(restore(config, clock, folder)).rejects.toThrow('is not the file that was backed up')
  expect(existsSync(join(config.dataDir, 'assay.db'))).toBe(true)
})

describeOnEachDatabase('a restore over what is there', (context) => {
  const settingsOf = ({ dataDir, databaseUrl }: DatabaseSettings): Config =>
    readConfig({
      DATA_DIR: dataDir,
      MASTER_SECRET: 'a master secret for tests only',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    })
  const create = (config: Config, email: string) => withAdmin(config, (admin) => run(admin, 'create-account', email))

  test('brings back the state of the backup, as often as one likes, and keeps what was there', async () => {
    const config = settingsOf(context.settings)
    const folder = join(temporaryFolder(), 'backup')
    await create(config, 'ada@example.com')
    await backUp(config, clock, folder)
    for (const email of ['later@example.com', 'latest@example.com']) {
      await create(config, email)
      clock.travel('PT1S')
      const said = await restore(config, clock, folder)
      expect(said.filter((line) => line.startsWith('kept what was there as')).length).toBeGreaterThan(0)
      expect(await emails(config)).toEqual(['ada@example.com'])
    }
    // What was kept is no part of the next backup.
    const again = join(temporaryFolder(), 'backup')
    await backUp(config, clock, again)
    clock.travel('PT1S')
    await restore(config, clock, again)
    expect(await emails(config)).toEqual(['ada@example.com'])
  })

  // The embedded database is distinguished by the lock of its folder; see above.
  if (context.dialect === 'postgres')
    test('is refused while a service uses it, and undone when it fails', async () => {
      const config = settingsOf(context.settings)
      const folder = join(temporaryFolder(), 'backup')
      await backUp(config, clock, folder)
      const before = await emails(config)
      const counts = createScanCountStore(context.database.db)
      await counts.keepAlive('job_serving', clock.now().getTime() + 15_000)
      await expect(restore(config, clock, folder)).rejects.toThrow('An Assay service uses this database.')
      await counts.forgetInstance('job_serving')
      clock.travel('PT1S')
      const broken = 'no dump at all'
      writeFileSync(join(folder, 'assay.dump'), broken)
      const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'))
      const sha256 = createHash('sha256').update(broken).digest('hex')
      writeFileSync(join(folder, 'backup.json'), JSON.stringify({ ...manifest, sha256 }))
      await expect(restore(config, clock, folder)).rejects.toThrow('pg_restore failed: pg_restore: error:')
      expect(await emails(config)).toEqual(before)
    })
})

test('the doctor finds nothing wrong with a sound installation, and names what is wrong with others', async () => {
  const dataDir = temporaryFolder()
  const config = readConfig({ DATA_DIR: dataDir })
  await withAdmin(config, async (admin) => {
    await run(admin, 'create-account', 'ada@example.com')
    await run(admin, 'create-key', 'ada@example.com')
  })
  const states = async (more: Record<string, string> = {}) =>
    (await diagnose({ DATA_DIR: dataDir, ...more }))
      .filter(({ state }) => state === 'problem')
      .map(({ about }) => about)
  expect(await states()).toEqual([])
  expect(await states({ MASTER_SECRET: 'another master secret for tests' })).toEqual(['secrets'])
  expect(await states({ SMTP_URL: 'smtp://127.0.0.1:1' })).toEqual(['mail'])
  expect(
    await states({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      MASTER_SECRET: 'a master secret for tests only',
    }),
  ).toEqual(['database'])
  expect(await states({ PORT: 'x', LOG_LEVEL: 'loud' })).toEqual(['settings', 'settings'])
})
