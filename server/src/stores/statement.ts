import { CompiledQuery, type QueryResult, sql } from 'kysely'
import type { Db } from './database.ts'

/** Texts by the place in the source that holds the statement, and by the kind of database. */
const texts = new WeakMap<TemplateStringsArray, Map<unknown, string>>()

/**
 * Like `sql`, for the statements that every scan runs: the text is made once and afterwards only filled in, because building it costs
 * more than running it. Whatever is put in is a parameter, never a part of the text.
 */
export const statement =
  <Row = never>(strings: TemplateStringsArray, ...values: readonly (string | number | null | Uint8Array)[]) =>
  (db: Db): Promise<QueryResult<Row>> =>
    db.executeQuery(CompiledQuery.raw(textOf(db, strings, values), [...values]) as CompiledQuery<Row>)

function textOf(db: Db, strings: TemplateStringsArray, values: readonly unknown[]): string {
  const kind = db.getExecutor().adapter.constructor
  const known = texts.get(strings)
  const text = known?.get(kind)
  if (text !== undefined) return text
  const made = sql(strings, ...values).compile(db).sql
  texts.set(strings, new Map(known).set(kind, made))
  return made
}
