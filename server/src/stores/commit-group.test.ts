import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createCommitGroup } from './commit-group.ts'
import { connectSqlite, type Database, transaction } from './database.ts'
import { openSqliteConnection } from './sqlite-connection.ts'

let folder: string
let database: Database
beforeEach(async () => {
  folder = temporaryFolder()
  database = connectSqlite(folder)
  await sql`create table t (id integer primary key)`.execute(database.db)
})
afterEach(async () => {
  await database.close()
})

const insert = (id: number, more?: () => Promise<void>) =>
  transaction(database.db, async (tx) => {
    await sql`insert into t (id) values (${id})`.execute(tx)
    await more?.()
  })
const readIds = async (from = database) =>
  (await sql<{ id: number }>`select id from t order by id`.execute(from.db)).rows.map(({ id }) => id)

test('of many transactions at once, one that fails is undone alone', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, id) =>
      insert(id, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        if (id % 10 === 3) throw new Error('changed my mind')
      }),
    ),
  )
  const kept = outcomes.flatMap(({ status }, id) => (status === 'fulfilled' ? [id] : []))
  expect(kept).toHaveLength(180)
  expect(await readIds()).toEqual(kept)
})

test('an acknowledged write can be seen by another connection', async () => {
  const beside = connectSqlite(folder)
  await Promise.all(
    Array.from({ length: 100 }, async (_, id) => {
      await insert(id)
      expect(await readIds(beside)).toContain(id)
    }),
  )
  await beside.close()
})

test('plain statements between transactions wait for what they rest on', async () => {
  const beside = connectSqlite(folder)
  const results = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      if (n % 3 === 0) return void (await insert(n))
      if (n % 3 === 1) return void (await sql`insert into t (id) values (${n})`.execute(database.db))
      const seen = await readIds()
      const durable = new Set(await readIds(beside))
      return seen.filter((id) => !durable.has(id))
    }),
  )
  expect(results.filter((missing) => missing && missing.length > 0)).toEqual([])
  expect(await readIds()).toHaveLength(40)
  await beside.close()
})

test('many transactions at once cost far fewer commits than one each', async () => {
  const walFrames = async () =>
    (await sql<{ log: number }>`pragma wal_checkpoint(passive)`.execute(database.db)).rows[0]?.log ?? 0
  await sql`pragma wal_checkpoint(truncate)`.execute(database.db)
  const count = { commits: 0 }
  const connection = openSqliteConnection(join(folder, 'counted.db'))
  connection.run('create table t (id integer primary key)', [])
  const counted = {
    ...connection,
    run: ((statement: string, parameters: readonly unknown[]) => {
      if (statement === 'commit') count.commits += 1
      return connection.run(statement, parameters)
    }) as typeof connection.run,
  }
  const group = createCommitGroup(counted)
  const durable: Promise<void>[] = []
  connection.run('begin immediate', [])
  for (let id = 0; id < 50; id++) {
    group.enter()
    connection.run('insert into t (id) values (?)', [id])
    group.leave()
    durable.push(group.join())
  }
  group.commit()
  await Promise.all(durable)
  expect(count.commits).toBe(1)
  connection.close()
  await Promise.all(Array.from({ length: 50 }, (_, id) => insert(id)))
  expect(await walFrames()).toBeLessThan(25)
})

test('if the commit fails, every transaction of the group fails', async () => {
  const connection = openSqliteConnection(join(folder, 'broken.db'))
  const failing = {
    ...connection,
    run: ((statement: string, parameters: readonly unknown[]) => {
      if (statement === 'commit') throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
      return connection.run(statement, parameters)
    }) as typeof connection.run,
  }
  connection.run('create table t (id integer primary key)', [])
  const group = createCommitGroup(failing)
  connection.run('begin immediate', [])
  const durable = [1, 2].map((id) => {
    group.enter()
    connection.run('insert into t (id) values (?)', [id])
    group.leave()
    return group.join()
  })
  group.commit()
  expect((await Promise.allSettled(durable)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(group.isOpen).toBe(false)
  expect(connection.run('select * from t', []).rows).toEqual([])
  connection.close()
})
