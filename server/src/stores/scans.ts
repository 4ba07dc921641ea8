import { type ExpressionBuilder, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'
import type { ScanBodyTable, ScanTable, Schema } from './schema.ts'
import { statement } from './statement.ts'

export interface ScanFilter {
  readonly kind?: ScanTable['kind'] | undefined
  readonly via?: 'key' | 'session' | undefined
  readonly status?: ScanTable['status'] | undefined
  readonly fileName?: string | undefined
  /** Anywhere in the name, in any case. */
  readonly nameContains?: string | undefined
  readonly rating?: string | undefined
  /** At least one weakness of this severity. */
  readonly severity?: 'critical' | 'high' | 'medium' | 'low' | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface ScanPage {
  /** Only scans younger than this exist for their owner. */
  readonly notBefore: number
  readonly limit: number
  /** The last id of the page before. */
  readonly after?: string | undefined
  readonly filter?: ScanFilter
}

export function createScanStore(db: Db) {
  return {
    async add(scan: ScanTable, body: Omit<ScanBodyTable, 'scan_id'>): Promise<void> {
      if (isPostgres(db)) return addAtOnce(db, scan, body)
      await statement`
        insert into scans (id, account_id, kind, status, file_name, size_bytes, score, rating, total, critical, high,
          medium, low, completeness, created_at, info, advisories, suppressed, sha256,
          engine_version, file_count, is_project, via)
        values (${scan.id}, ${scan.account_id}, ${scan.kind}, ${scan.status}, ${scan.file_name}, ${scan.size_bytes},
          ${scan.score}, ${scan.rating}, ${scan.total}, ${scan.critical}, ${scan.high}, ${scan.medium}, ${scan.low},
          ${scan.completeness}, ${scan.created_at}, ${scan.info}, ${scan.advisories}, ${scan.suppressed}, ${scan.sha256},
          ${scan.engine_version}, ${scan.file_count}, ${scan.is_project}, ${scan.via})`(db)
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

    /** Newest first: ids sort by the moment of the scan. */
    async list(accountId: string, { notBefore, limit, after, filter = {} }: ScanPage): Promise<ScanTable[]> {
      let query = db
        .selectFrom('scans')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .where(matches(filter))
      if (after !== undefined) query = query.where('id', '<', after)
      return query.orderBy('id', 'desc').limit(limit).execute()
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
        medium, low, completeness, created_at, info, advisories, suppressed, sha256, engine_version, file_count, is_project, via)
      values (${scan.id}, ${scan.account_id}, ${scan.kind}, ${scan.status}, ${scan.file_name}, ${scan.size_bytes},
        ${scan.score}, ${scan.rating}, ${scan.total}, ${scan.critical}, ${scan.high}, ${scan.medium}, ${scan.low},
        ${scan.completeness}, ${scan.created_at}, ${scan.info}, ${scan.advisories}, ${scan.suppressed}, ${scan.sha256},
        ${scan.engine_version}, ${scan.file_count}, ${scan.is_project}, ${scan.via})
      returning id
    )
    insert into scan_bodies (scan_id, source, result) select id, ${body.source}::bytea, ${body.result}::bytea from scan`(
    db,
  )
}

const isNamedLike = (part: string) => {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(file_name) like ${pattern} escape '\\'`
}

const matches =
  ({ kind, via, status, fileName, nameContains, rating, severity, from, to }: ScanFilter) =>
  (scan: ExpressionBuilder<Schema, 'scans'>) =>
    scan.and([
      ...(kind === undefined ? [] : [scan('kind', '=', kind)]),
      ...(via === undefined ? [] : [scan('via', '=', via)]),
      ...(status === undefined ? [] : [scan('status', '=', status)]),
      ...(fileName === undefined ? [] : [scan('file_name', '=', fileName)]),
      ...(nameContains === undefined ? [] : [isNamedLike(nameContains)]),
      ...(rating === undefined ? [] : [scan('rating', '=', rating)]),
      ...(severity === undefined ? [] : [scan(severity, '>', 0)]),
      ...(from === undefined ? [] : [scan('created_at', '>=', from)]),
      ...(to === undefined ? [] : [scan('created_at', '<', to)]),
    ])
