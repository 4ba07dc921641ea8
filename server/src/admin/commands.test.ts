import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../core/config.ts'
import { newId } from '../core/ids.ts'
import { getLimits } from '../services/limits.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { serverEnvironment } from '../testing/spawn-server.ts'
import { type Admin, openAdmin } from './admin.ts'
import { commands, findCommand, usage } from './commands.ts'

describeOnEachDatabase('assay-server admin', (context) => {
  let admin: Admin
  beforeAll(async () => {
    admin = await openAdmin(readConfig(serverEnvironment(context.settings)))
  })
  afterAll(() => admin.close())

  const run = async (line: string): Promise<string[]> => {
    const [name = '', ...args] = line.split(' ')
    return findCommand(name)?.run(admin, args) ?? []
  }

  test('create-account makes a verified account on the plan that was named', async () => {
    const [first] = await run('create-account Ada@Example.com --name Ada --plan basic')
    const userId = first?.split(' ')[1] ?? ''
    expect(await createAccountStore(admin.db).find(userId)).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada',
      plan: 'basic',
      verified_at: expect.any(Number),
    })
    await expect(run('create-account ada@example.com')).rejects.toThrow('ada@example.com is already an account.')
    await expect(run('create-account nobody')).rejects.toThrow('nobody is not an email address.')
    await expect(run('create-account x@example.com --plan gold')).rejects.toThrow('A plan is one of free, basic, pro.')
  })

  test('create-key prints a key that is accepted', async () => {
    await run('create-account keys@example.com')
    const [live = ''] = await run('create-key keys@example.com')
    const [trial = ''] = await run('create-key keys@example.com --type TEST --name ci')
    expect([live.slice(0, 11), trial.slice(0, 11)]).toEqual(['assay_live_', 'assay_test_'])
    expect(await admin.keyAuthenticator.authenticate(live)).toMatchObject({ via: 'key', keyType: 'PRODUCTION' })
    expect(await admin.keyAuthenticator.authenticate(trial)).toMatchObject({ keyType: 'TEST' })
    await expect(run('create-key keys@example.com --type GOLD')).rejects.toThrow('--type must be PRODUCTION or TEST.')
    await expect(run('create-key nobody@example.com')).rejects.toThrow('There is no account nobody@example.com.')
  })

  test('an organisation has a plan and limits of its own, by its id', async () => {
    const id = newId('organisation')
    await createAccountStore(admin.db).addOrganisation({ id, name: 'Acme', at: 0 })
    await run(`set-plan ${id} basic`)
    await run(`limits ${id} --scans-per-day 7`)
    expect(await getLimits(admin, id)).toMatchObject({ plan: 'basic', scansPerDay: 7, requestsPerHour: 600 })
    await expect(run(`set-plan ${id}@organisation.invalid pro`)).rejects.toThrow('There is no account')
  })

  test('limits overrides the numbers that were named, keeps the others, and goes back to the plan', async () => {
    const [first] = await run('create-account big@example.com --plan pro')
    const userId = first?.split(' ')[1] ?? ''
    await run('limits big@example.com --scans-per-day 10000')
    const printed = await run(`limits ${userId} --history-days 365`)
    expect(printed).toContain('scans per day      10000')
    expect(await getLimits(admin, userId)).toMatchObject({
      plan: 'pro',
      scansPerDay: 10_000,
      historyDays: 365,
      requestsPerHour: 6000,
    })
    await run('limits big@example.com --clear')
    expect(await getLimits(admin, userId)).toMatchObject({ scansPerDay: 1000, historyDays: 90 })
    await expect(run('limits big@example.com --scans-per-day many')).rejects.toThrow('must be a whole number')
    await expect(run('limits big@example.com --scans-per-week 5')).rejects.toThrow()
  })

  test('set-plan gives a plan at once', async () => {
    await run('create-account plan@example.com')
    expect(await run('set-plan plan@example.com pro')).toContain('plan               pro')
  })

  test('reseal lets the previous master secret go: keys work under the new one alone', async () => {
    await run('create-account reseal@example.com')
    const [key = ''] = await run('create-key reseal@example.com')
    const environment = serverEnvironment(context.settings)
    const secret = 'another master secret for tests'
    const both = { ...environment, MASTER_SECRET: secret, MASTER_SECRET_PREVIOUS: environment.MASTER_SECRET ?? '' }
    const rotating = await openAdmin(readConfig(both))
    const [said = ''] = (await findCommand('reseal')?.run(rotating, [])) ?? []
    expect(Number(/^(\d+) API keys/.exec(said)?.[1])).toBeGreaterThan(0)
    await rotating.close()
    const rotated = await openAdmin(readConfig({ ...environment, MASTER_SECRET: secret }))
    expect(await rotated.keyAuthenticator.authenticate(key)).toMatchObject({ via: 'key' })
    expect(await findCommand('reseal')?.run(rotated, [])).toEqual([expect.stringMatching(/^0 API keys/)])
    await rotated.close()
  })
})

test('the usage names every command', () => {
  for (const { name } of commands) expect(usage()).toContain(`  ${name} `)
  expect(findCommand('no-such-command')).toBeUndefined()
})
