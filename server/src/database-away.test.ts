// PostgreSQL behind a line that breaks: the service outlives its database.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectPostgres, type Database, openDatabase } from './stores/database.ts'
import { describeOnEachDatabase } from './testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from './testing/start-test-app.ts'
import { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts'

const unavailable = { error: 'The service is temporarily unavailable. Try again shortly.' }

describeOnEachDatabase('a database that goes away', (context) => {
  // The embedded database cannot go away.
  if (context.dialect === 'sqlite') {
    test('the embedded one is always there', async () => {
      const app = await startTestApp({ database: context.database })
      expect((await app.get('/ready')).statusCode).toBe(200)
      await app.close()
    })
    return
  }

  let proxy: TcpProxy
  let database: Database
  let app: TestApp
  let ada: TestAccount

  beforeAll(async () => {
    const url = new URL(context.settings.databaseUrl ?? '')
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
    url.port = String(proxy.port)
    database = connectPostgres(url.href)
    app = await startTestApp({ database })
    ada = await app.signUp()
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await proxy.close()
  })

  /** By a connection of its own: one from a pool may be among those that were ended before. */
  async function terminateAll(): Promise<void> {
    const client = new pg.Client(context.settings.databaseUrl)
    await client.connect()
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await client.end()
  }

  /** Six clients that ask without a pause; every status they were answered with. */
  function startClients() {
    const statuses: number[] = []
    let isOver = false
    const client = async (): Promise<void> => {
      while (!isOver) {
        const answer = await app.get(`/api/v1/user-plan?userId=${ada.userId}`, ada.session)
        statuses.push(answer.statusCode)
        if (answer.statusCode === 503) {
          expect([answer.json(), answer.headers['retry-after']]).toEqual([unavailable, '5'])
          await sleep(10)
        }
      }
    }
    const clients = Array.from({ length: 6 }, client)
    const stop = async (): Promise<number[]> => {
      isOver = true
      await Promise.all(clients)
      return statuses
    }
    return { statuses, stop }
  }
  const answered = (statuses: readonly number[]) => [...new Set(statuses)].filter((status) => status !== 503)
  const untilReady = () => expect.poll(async () => (await app.get('/ready')).statusCode).toBe(200)
  const untilAway = () => expect.poll(async () => (await app.get('/ready')).statusCode).toBe(503)

  test('connections that are ended under six clients are replaced; nobody sees anything but 200 and 503', async () => {
    const { statuses, stop } = startClients()
    for (let n = 0; n < 6; n++) {
      const before = statuses.length
      await expect.poll(() => statuses.length).toBeGreaterThan(before + 6)
      if (n % 2 === 0) proxy.cut()
      else await terminateAll()
    }
    await untilReady()
    expect(answered(await stop())).toEqual([200])
    expect((await app.get('/api/me', ada.session)).statusCode).toBe(200)
  })

  test('a server that is down for a while: 503 meanwhile, then everything again', async () => {
    await app.runJobs()
    const before = app.mails.length
    const { stop } = startClients()
    await proxy.close()
    await untilAway()
    const answer = await app.get('/api/me', ada.session)
    expect([answer.statusCode, answer.json()]).toEqual([503, unavailable])
    expect((await app.get('/health')).statusCode).toBe(200)
    await proxy.open()
    await untilReady()
    expect(answered(await stop())).toEqual([200])
    await app.makeKey(ada)
    await app.runJobs()
    expect(app.mails.slice(before).map(({ subject }) => subject)).toContain(
      'A new API key was created in your Assay account',
    )
  })

  test('a server that is frozen: /ready and requests are answered while it is, and not after', async () => {
    proxy.freeze()
    // Nothing thaws it before these are answered.
    await untilAway()
    const answers = await Promise.all(Array.from({ length: 30 }, () => app.get('/api/me', ada.session)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    proxy.thaw()
    await untilReady()
    expect((await app.get('/api/me', ada.session)).statusCode).toBe(200)
  })
})

describeOnEachDatabase('replicas that start together on an empty database', (context) => {
  if (context.dialect === 'sqlite') {
    test('only one process serves the embedded one', () => {
      expect(context.settings.databaseUrl).toBeUndefined()
    })
    return
  }

  test('all of them start', async () => {
    const databaseUrl = context.settings.databaseUrl ?? ''
    for (let round = 0; round < 4; round++) {
      await sql`drop schema if exists pgboss cascade`.execute(context.database.db)
      await sql`drop schema public cascade`.execute(context.database.db)
      await sql`create schema public`.execute(context.database.db)
      const started = await Promise.allSettled(
        Array.from({ length: 4 }, async () => {
          const database = await openDatabase({ databaseUrl, dataDir: context.settings.dataDir })
          return { database, app: await startTestApp({ database }) }
        }),
      )
      const failures = started.filter((outcome) => outcome.status === 'rejected')
      for (const outcome of started) {
        if (outcome.status !== 'fulfilled') continue
        await outcome.value.app.close()
        await outcome.value.database.close()
      }
      expect(failures).toEqual([])
    }
  })
})
