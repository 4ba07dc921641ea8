import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Migration, migrations } from '../../migrations/index.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { afterCommit, connectSqlite, isUniqueViolation, openDatabase, transaction } from './database.ts'
import { migrate } from './migrate.ts'
import { statement } from './statement.ts'

describeOnEachDatabase('database', (context) => {
  beforeAll(async () => {
    await sql`create table probe (id text primary key, n bigint not null, bytes ${sql.raw(context.dialect === 'sqlite' ? 'blob' : 'bytea')})`.execute(
      context.database.db,
    )
  })

  const count = async (): Promise<unknown> =>
    (await sql<{ n: number }>`select count(*) as n from probe`.execute(context.database.db)).rows[0]?.n

  test('epoch milliseconds, counts and bytes come back as they went in', async () => {
    const bytes = Buffer.from([0, 1, 254, 255])
    await sql`insert into probe (id, n, bytes) values ('types', ${1_794_709_507_927}, ${bytes})`.execute(
      context.database.db,
    )
    const { rows } = await sql<{ n: number; bytes: Buffer; c: number; s: number }>`
      select n, bytes, count(*) over () as c, sum(n) over () as s from probe where id = 'types'`.execute(
      context.database.db,
    )
    expect(rows).toEqual([{ n: 1_794_709_507_927, bytes, c: 1, s: 1_794_709_507_927 }])
    expect(Buffer.isBuffer(rows[0]?.bytes)).toBe(true)
  })

  test('a statement is filled in anew each time, and what is put in is never part of its text', async () => {
    const { db } = context.database
    const add = (id: string, n: number) => statement`insert into probe (id, n) values (${id}, ${n})`(db)
    const hostile = "x'); drop table probe; --"
    for (const [id, n] of [
      ['one', 1],
      ['two', 2],
      [hostile, 3],
    ] as const) {
      expect((await add(id, n)).numAffectedRows).toBe(1n)
    }
    const find = (id: string) => statement<{ n: number }>`select n from probe where id = ${id}`(db)
    expect((await find('two')).rows).toEqual([{ n: 2 }])
    expect((await find(hostile)).rows).toEqual([{ n: 3 }])
    expect((await find('none')).rows).toEqual([])
  })

  test('a transaction that throws leaves nothing behind', async () => {
    const before = await count()
    const failing = transaction(context.database.db, async (tx) => {
      await sql`insert into probe (id, n) values ('rolled-back', 1)`.execute(tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await count()).toBe(before)
  })

  test('what waits for the commit runs after the outermost one, and never after a rollback', async () => {
    const { db } = context.database
    const seen: string[] = []
    const note = (name: string, fails: boolean) =>
      transaction(db, async (outer) => {
        await transaction(outer, async (tx) => afterCommit(tx, () => seen.push(name)))
        expect(seen).not.toContain(name)
        if (fails) throw new Error('no')
      })
    await expect(note('rolled back', true)).rejects.toThrow('no')
    await note('committed', false)
    expect(seen).toEqual(['committed'])
  })

  test('a transaction inside another joins it', async () => {
    const before = await count()
    await expect(
      transaction(context.database.db, async (tx) => {
        await transaction(tx, (inner) => sql`insert into probe (id, n) values ('inner', 1)`.execute(inner))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await count()).toBe(before)
  })

  test('fifty parallel read-modify-write transactions lose no update', async () => {
    await sql`insert into probe (id, n) values ('counter', 0)`.execute(context.database.db)
    const lock = context.dialect === 'postgres' ? sql`for update` : sql``
    await Promise.all(
      Array.from({ length: 50 }, () =>
        transaction(context.database.db, async (tx) => {
          const { rows } = await sql<{ n: number }>`select n from probe where id = 'counter' ${lock}`.execute(tx)
          // Others get their turn between the reading and the writing.
          await new Promise((resolve) => setImmediate(resolve))
          await sql`update probe set n = ${(rows[0]?.n ?? 0) + 1} where id = 'counter'`.execute(tx)
        }),
      ),
    )
    const { rows } = await sql<{ n: number }>`select n from probe where id = 'counter'`.execute(context.database.db)
    expect(rows[0]?.n).toBe(50)
  })

  test('two transactions that lock each other out are both carried through', async () => {
    await sql`insert into probe (id, n) values ('left', 0), ('right', 0)`.execute(context.database.db)
    // Where writers do not wait for each other from the start, both hold one row before either asks for the other's.
    let holding = 0
    let meet = (): void => {}
    const bothHold = new Promise<void>((resolve) => {
      meet = resolve
    })
    const cross = (first: string, second: string) =>
      transaction(context.database.db, async (tx) => {
        await sql`update probe set n = n + 1 where id = ${first}`.execute(tx)
        holding += 1
        if (holding === 2) meet()
        if (context.dialect === 'postgres') await bothHold
        await sql`update probe set n = n + 1 where id = ${second}`.execute(tx)
      })
    await Promise.all([cross('left', 'right'), cross('right', 'left')])
    const { rows } = await sql<{ n: number }>`select n from probe where id in ('left', 'right')`.execute(
      context.database.db,
    )
    expect(rows).toEqual([{ n: 2 }, { n: 2 }])
  })

  test('a second row with the same unique value is recognised as such', async () => {
    const insert = () => sql`insert into probe (id, n) values ('twice', 1)`.execute(context.database.db)
    await insert()
    expect(await insert().catch(isUniqueViolation)).toBe(true)
  })

  test('replicas that start together apply each migration once', async () => {
    const { settings } = context
    const databases = await Promise.all([openDatabase(settings), openDatabase(settings), openDatabase(settings)])
    const slow: Migration = {
      name: '900-slow',
      async up(db) {
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
        await sql`create table made_once (id text primary key)`.execute(db)
      },
    }
    await Promise.all(databases.map((database) => migrate(database, [...migrations, slow])))
    const applied = sql<{ n: number }>`select count(*) as n from migrations where name = '900-slow'`
    expect((await applied.execute(context.database.db)).rows[0]?.n).toBe(1)
    await Promise.all(databases.map((database) => database.close()))
    await sql`delete from migrations where name = '900-slow'`.execute(context.database.db)
  })

  test('a migration that fails leaves the schema as it was', async () => {
    const broken: Migration = {
      name: '901-broken',
      async up(db) {
        await sql`create table half_done (id text)`.execute(db)
        await sql`insert into no_such_table values (1)`.execute(db)
      },
    }
    await expect(migrate(context.database, [...migrations, broken])).rejects.toThrow()
    await expect(sql`select * from half_done`.execute(context.database.db)).rejects.toThrow()
  })

  test('a database written by a newer version is refused in words', async () => {
    await expect(migrate(context.database, migrations.slice(1))).rejects.toThrow(/newer version of Assay \(001-jobs\)/)
  })
})

describe('embedded database', () => {
  test('every commit is synced, the log is written ahead and foreign keys hold', async () => {
    const { db, close } = connectSqlite(temporaryFolder())
    const read = async (name: string) =>
      Object.values((await sql`pragma ${sql.raw(name)}`.execute(db)).rows[0] as object)[0]
    expect([await read('journal_mode'), await read('synchronous'), await read('foreign_keys')]).toEqual(['wal', 2, 1])
    await close()
  })

  test('a value the driver cannot bind is an error, not the end of the process', async () => {
    const { db, close } = connectSqlite(temporaryFolder())
    await expect(sql`select ${true}`.execute(db)).rejects.toThrow('must be text, a number, bytes or null, not boolean')
    await expect(sql`select ${'a\0b'}`.execute(db)).rejects.toThrow('NUL')
    await close()
  })

  test('a second server on the same folder is refused in words, and may start once the first is gone', () => {
    const dataDir = temporaryFolder()
    const first = lockDataDirectory(dataDir)
    expect(() => lockDataDirectory(dataDir)).toThrow(`is using ${dataDir}`)
    first.release()
    lockDataDirectory(dataDir).release()
  })

  test('the data stays open to another connection while the folder is locked', async () => {
    const dataDir = temporaryFolder()
    const lock = lockDataDirectory(dataDir)
    const [serving, beside] = await Promise.all([openDatabase({ dataDir }), openDatabase({ dataDir })])
    await sql`insert into schedules (name, next_at) values ('beside', 1)`.execute(beside.db)
    expect((await sql`select * from schedules`.execute(serving.db)).rows).toEqual([{ name: 'beside', next_at: 1 }])
    await Promise.all([serving.close(), beside.close()])
    lock.release()
  })
})
