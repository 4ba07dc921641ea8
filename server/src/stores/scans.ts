import { type ExpressionBuilder, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'
import type { ScanBodyTable, ScanTable, Schema } from './schema.ts'
import { statement } from './statement.ts'

export interface ScanFilter {
  readonly kind?: ScanTable['kind'] | undefined
  readonly via?: 'key' | 'session' | undefined
  readonly fileName?: string | undefined
  /** Anywhere in the name, in any case. */
  readonly nameContains?: string | undefined
  readonly rating?: readonly string[] | undefined
  /** At least one vulnerability of one of these severities. */
  readonly severity?: readonly ('critical' | 'high' | 'medium' | 'low')[] | undefined
  readonly project?: string | undefined
  readonly ref?: string | undefined
  readonly commit?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type ScanSort = '-createdAt' | 'createdAt' | 'score' | '-score'

export interface ScanPage {
  /** Only scans younger than this exist for their owner. */
  readonly notBefore: number
  readonly limit: number
  readonly sort: ScanSort
  /** The last of the page before. */
  readonly after?: { readonly id: string; readonly score: number } | undefined
  readonly filter: ScanFilter
}

/** A scan with what it belongs to. */
export interface ListedScanRow extends ScanTable {
  project: string | null
  ref: string | null
  commit_hash: string | null
  batch_id: string | null
  gate: string | null
}

/** Counting more than this tells nobody anything, and takes long. */
const MAX_COUNTED = 100_000

export function createScanStore(db: Db) {
  return {
    async add(scan: ScanTable, body: Omit<ScanBodyTable, 'scan_id'>): Promise<void> {
      if (isPostgres(db)) return addAtOnce(db, scan, body)
      await statement`
        insert into scans (id, account_id, kind, status, file_name, size_bytes, score, rating, total, critical, high,
          medium, low, completeness, created_at, info, advisories, suppressed, sha256,
          engine_version, file_count, is_project, via, tally)
        values (${scan.id}, ${scan.account_id}, ${scan.kind}, ${scan.status}, ${scan.file_name}, ${scan.size_bytes},
          ${scan.score}, ${scan.rating}, ${scan.total}, ${scan.critical}, ${scan.high}, ${scan.medium}, ${scan.low},
          ${scan.completeness}, ${scan.created_at}, ${scan.info}, ${scan.advisories}, ${scan.suppressed}, ${scan.sha256},
          ${scan.engine_version}, ${scan.file_count}, ${scan.is_project}, ${scan.via}, ${scan.tally ?? null})`(db)
      await statement`insert into scan_bodies (scan_id, source, result)
        values (${scan.id}, ${body.source}, ${body.result})`(db)
    },

    async find(accountId: string, id: string, notBefore: number): Promise<ScanTable | undefined> {
      return db
        .selectFrom('scans')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .executeTakeFirst()
    },

    async findBody<Part extends 'source' | 'result'>(id: string, part: Part): Promise<Uint8Array | undefined> {
      const row = await db
        .selectFrom('scan_bodies')
        .select(part as 'source')
        .where('scan_id', '=', id)
        .executeTakeFirst()
      return row?.[part as 'source']
    },

    /** Ids sort by the moment of the scan. */
    async list(accountId: string, { notBefore, limit, sort, after, filter }: ScanPage): Promise<ListedScanRow[]> {
      // The page first, by the index of the account alone; then its rows.
      let page = labelled(db)
        .select('scans.id')
        .where('scans.account_id', '=', accountId)
        .where('scans.created_at', '>', notBefore)
        .where(matches(accountId, filter))
      const isByScore = sort === 'score' || sort === '-score'
      const [isBeyond, direction] = sort.startsWith('-') ? (['<', 'desc'] as const) : (['>', 'asc'] as const)
      if (after !== undefined)
        page = page.where((scan) =>
          isByScore
            ? scan.or([
                scan('scans.score', isBeyond, after.score),
                scan.and([scan('scans.score', '=', after.score), scan('scans.id', isBeyond, after.id)]),
              ])
            : scan('scans.id', isBeyond, after.id),
        )
      if (isByScore) page = page.orderBy('scans.score', direction)
      let query = labelled(db)
        .selectAll('scans')
        .select([
          'scan_labels.project',
          'scan_labels.ref',
          'scan_labels.commit_hash',
          'scan_labels.gate',
          'scan_requests.batch_id',
        ])
        .where('scans.id', 'in', page.orderBy('scans.id', direction).limit(limit))
      if (isByScore) query = query.orderBy('scans.score', direction)
      const rows = await query.orderBy('scans.id', direction).execute()
      return rows.map((row) => ({ ...row, project: row.project === row.id ? null : row.project }))
    },

    async count(accountId: string, notBefore: number, filter: ScanFilter): Promise<number> {
      const some = labelled(db)
        .select('scans.id')
        .where('scans.account_id', '=', accountId)
        .where('scans.created_at', '>', notBefore)
        .where(matches(accountId, filter))
        .limit(MAX_COUNTED)
      const { rows } = await sql<{ n: number | string }>`select count(*) as n from (${some}) s`.execute(db)
      return Number(rows[0]?.n)
    },

    async replaceResult(id: string, result: Uint8Array): Promise<void> {
      await db.updateTable('scan_bodies').set({ result }).where('scan_id', '=', id).execute()
    },

    /** False when there was none of this account. */
    async remove(accountId: string, id: string, notBefore: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('scans')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

/** Both rows in one round trip. */
async function addAtOnce(db: Db, scan: ScanTable, body: Omit<ScanBodyTable, 'scan_id'>): Promise<void> {
  await statement`
    with scan as (
      insert into scans (id, account_id, kind, status, file_name, size_bytes, score, rating, total, critical, high,
        medium, low, completeness, created_at, info, advisories, suppressed, sha256, engine_version, file_count, is_project, via, tally)
      values (${scan.id}, ${scan.account_id}, ${scan.kind}, ${scan.status}, ${scan.file_name}, ${scan.size_bytes},
        ${scan.score}, ${scan.rating}, ${scan.total}, ${scan.critical}, ${scan.high}, ${scan.medium}, ${scan.low},
        ${scan.completeness}, ${scan.created_at}, ${scan.info}, ${scan.advisories}, ${scan.suppressed}, ${scan.sha256},
        ${scan.engine_version}, ${scan.file_count}, ${scan.is_project}, ${scan.via}, ${scan.tally ?? null})
      returning id
    )
    insert into scan_bodies (scan_id, source, result) select id, ${body.source}::bytea, ${body.result}::bytea from scan`(
    db,
  )
}

const labelled = (db: Db) =>
  db
    .selectFrom('scans')
    .leftJoin('scan_labels', 'scan_labels.scan_id', 'scans.id')
    .leftJoin('scan_requests', 'scan_requests.id', 'scans.id')

export const isNamedLike = (column: string, part: string) => {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}

/** Found in the index of the account's names alone, before any row is read. */
const isNamedInAccount = (accountId: string, part: string) =>
  sql<boolean>`scans.id in (select named.id from scans named
    where named.account_id = ${accountId} and ${isNamedLike('named.file_name', part)})`

const matches =
  (
    accountId: string,
    { kind, via, fileName, nameContains, rating, severity, project, ref, commit, from, to }: ScanFilter,
  ) =>
  (scan: ExpressionBuilder<Schema, 'scans' | 'scan_labels'>) =>
    scan.and([
      ...(kind === undefined ? [] : [scan('scans.kind', '=', kind)]),
      ...(via === undefined ? [] : [scan('scans.via', '=', via)]),
      ...(fileName === undefined ? [] : [scan('scans.file_name', '=', fileName)]),
      ...(nameContains === undefined ? [] : [isNamedInAccount(accountId, nameContains)]),
      ...(rating === undefined ? [] : [scan('scans.rating', 'in', rating)]),
      ...(severity === undefined ? [] : [scan.or(severity.map((one) => scan(`scans.${one}`, '>', 0)))]),
      ...(project === undefined ? [] : [scan('scan_labels.project', '=', project)]),
      ...(ref === undefined ? [] : [scan('scan_labels.ref', '=', ref)]),
      ...(commit === undefined ? [] : [scan('scan_labels.commit_hash', '=', commit)]),
      ...(from === undefined ? [] : [scan('scans.created_at', '>=', from)]),
      ...(to === undefined ? [] : [scan('scans.created_at', '<', to)]),
    ])
