import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { connectPostgres, connectSqlite, type Database } from './database.ts'
import { migrate } from './migrate.ts'

describeOnEachDatabase('records of before there were refs', (context) => {
  async function emptied(): Promise<Database> {
    const { databaseUrl } = context.settings
    if (!databaseUrl) return connectSqlite(temporaryFolder())
    const database = connectPostgres(databaseUrl)
    await sql`drop schema if exists pgboss cascade`.execute(database.db)
    await sql`drop schema public cascade`.execute(database.db)
    await sql`create schema public`.execute(database.db)
    return database
  }

  test('those of a project keep their state on the ref that saw them; those of a file name go to their scan', async () => {
    const database = await emptied()
    const { db } = database
    const before = migrations.findIndex(({ name }) => name === '130-finding-refs')
    await migrate(database, migrations.slice(0, before))
    await sql`insert into accounts (id, email, name, password_hash, verified_at, plan, plan_since, created_at)
      values ('usr_ada', 'ada@example.com', 'Ada', 'x', 1, 'pro', 1, 1)`.execute(db)
    const scans = [
      ['scn_1', 'Vault.sol', 'vault', 'feature'],
      ['scn_2', 'Vault.sol', 'vault', 'main'],
      ['scn_3', 'Same.sol', 'Same.sol', null],
      ['scn_4', 'Same.sol', 'Same.sol', null],
    ] as const
    for (const [id, file, project, ref] of scans) {
      await sql`insert into scans (id, account_id, kind, status, file_name, size_bytes, score, rating, total, critical, high, medium, low, completeness, created_at)
        values (${id}, 'usr_ada', 'standard', 'completed', ${file}, 1, 90, 'Excellent', 0, 0, 0, 0, 0, 'full', 1)`.execute(
        db,
      )
      await sql`insert into scan_labels (scan_id, account_id, project, ref) values (${id}, 'usr_ada', ${project}, ${ref})`.execute(
        db,
      )
    }
    const records = [
      ['fnd_1', 'vault', 'scn_1', 'fixed'],
      ['fnd_2', 'vault', 'scn_2', 'accepted'],
      ['fnd_3', 'Same.sol', 'scn_3', 'fixed'],
      ['fnd_4', 'Same.sol', 'scn_4', 'open'],
    ] as const
    for (const [id, project, scan, state] of records)
      await sql`insert into findings (id, account_id, project, file, fingerprint, kind, detector, severity, confidence, title, message, line, state,
          first_scan_id, first_seen_at, last_scan_id, last_seen_at)
        values (${id}, 'usr_ada', ${project}, 'A.sol', ${id}, 'vulnerability', 'd', 'high', 'high', 't', 'm', 1, ${state}, ${scan}, 1, ${scan}, 1)`.execute(
        db,
      )
    await sql`insert into share_links (id, account_id, project, shows, token_index, created_at, expires_at)
      values ('lnk_1', 'usr_ada', 'Same.sol', 'badge', 'x', 1, 2)`.execute(db)
    await migrate(database)
    const projects = await db.selectFrom('projects').select(['name', 'default_ref']).execute()
    expect(projects).toEqual([{ name: 'vault', default_ref: 'main' }])
    const kept = await db.selectFrom('findings').select(['id', 'project', 'state']).orderBy('id').execute()
    expect(kept).toEqual([
      { id: 'fnd_1', project: 'vault', state: 'fixed' },
      { id: 'fnd_2', project: 'vault', state: 'accepted' },
      { id: 'fnd_3', project: 'scn_3', state: 'open' },
      { id: 'fnd_4', project: 'scn_4', state: 'open' },
    ])
    const refs = await db
      .selectFrom('finding_refs')
      .select(['finding_id', 'ref', 'state'])
      .orderBy('finding_id')
      .execute()
    expect(refs).toEqual([
      { finding_id: 'fnd_1', ref: 'feature', state: 'fixed' },
      { finding_id: 'fnd_2', ref: 'main', state: 'open' },
      { finding_id: 'fnd_3', ref: '', state: 'open' },
      { finding_id: 'fnd_4', ref: '', state: 'open' },
    ])
    expect(await db.selectFrom('share_links').select(['scan_id', 'project']).execute()).toEqual([
      { scan_id: 'scn_4', project: null },
    ])
    await database.close()
  })
})
