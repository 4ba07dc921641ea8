import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * The state of a finding on each ref of its project, and which files a scan looked at. Scans that were sent without a project were grouped by the
 * name of their file; they stand for themselves now, under their own id, because files of one name need not be versions of one another.
 */
export const findingRefs: Migration = {
  name: '130-finding-refs',
  async up(db, { bytes }) {
    await createTables(db, bytes)
    await separateUnnamed(db)
    await collectProjects(db)
    await collectRefs(db)
  },
}

async function createTables(db: Kysely<unknown>, bytes: 'blob' | 'bytea'): Promise<void> {
  await db.schema
    .createTable('projects')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('default_ref', 'text', (column) => column.notNull())
    .addColumn('is_default_set', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('projects_name', ['account_id', 'name'])
    .execute()
  await db.schema
    .createTable('finding_refs')
    .addColumn('finding_id', 'text', (column) => column.notNull().references('findings.id').onDelete('cascade'))
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('last_scan_id', 'text', (column) => column.notNull().references('scans.id').onDelete('cascade'))
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('observed_at', 'bigint', (column) => column.notNull())
    .addColumn('observation', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('finding_refs_key', ['finding_id', 'ref'])
    .execute()
  await db.schema.createIndex('finding_refs_scan').on('finding_refs').column('last_scan_id').execute()
  await db.schema.alterTable('scan_labels').addColumn('observation', 'text').execute()
  await db.schema.alterTable('scan_labels').addColumn('files', sql.raw(bytes)).execute()
}

async function separateUnnamed(db: Kysely<unknown>): Promise<void> {
  // A link that followed the name of a file shows the newest scan of it.
  const sameName = sql`from scan_labels l join scans s on s.id = l.scan_id
    where l.account_id = share_links.account_id and l.project = share_links.project and s.file_name = l.project`
  await sql`update share_links set scan_id = (select max(l.scan_id) ${sameName}), project = null
    where scan_id is null and exists (select 1 ${sameName})`.execute(db)
  await sql`update scan_labels set project = scan_id
    where project = (select file_name from scans where scans.id = scan_labels.scan_id)`.execute(db)
  // The scan that saw it last did see it, whatever another file of that name held.
  await sql`update findings set project = last_scan_id,
      state = case when state = 'fixed' and decided_by is null then 'open' else state end
    where exists (select 1 from scan_labels l where l.scan_id = findings.last_scan_id and l.project = l.scan_id)`.execute(
    db,
  )
}

async function collectProjects(db: Kysely<unknown>): Promise<void> {
  // Their ids are made of a scan's, which is unguessable too.
  await sql`insert into projects (id, account_id, name, default_ref, created_at)
    select 'prj_' || substr(l.scan_id, 5), l.account_id, l.project, coalesce(l.ref, ''), s.created_at
    from scan_labels l join scans s on s.id = l.scan_id
    join accounts a on a.id = l.account_id
    where l.project != l.scan_id and not exists (
      select 1 from scan_labels o where o.account_id = l.account_id and o.project = l.project and o.scan_id < l.scan_id
    )`.execute(db)
  for (const ref of ['master', 'main'])
    await sql`update projects set default_ref = ${ref} where exists (
      select 1 from scan_labels l where l.account_id = projects.account_id and l.project = projects.name and l.ref = ${ref}
    )`.execute(db)
}

const collectRefs = (db: Kysely<unknown>) =>
  sql`insert into finding_refs (finding_id, ref, state, last_scan_id, last_seen_at, observed_at, observation)
    select f.id, coalesce(l.ref, ''), case f.state when 'fixed' then 'fixed' else 'open' end,
      f.last_scan_id, f.last_seen_at, f.last_seen_at, f.last_scan_id
    from findings f left join scan_labels l on l.scan_id = f.last_scan_id`.execute(db)
