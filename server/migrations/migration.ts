import type { Kysely } from 'kysely'

/** The few column types whose name differs between the two databases. */
export interface ColumnTypes {
  readonly bytes: 'blob' | 'bytea'
}

/** One step forward of the schema. Its name is its file's name; a step that has been released is never edited. */
export interface Migration {
  readonly name: string
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
}
