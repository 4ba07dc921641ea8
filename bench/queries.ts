/**
 * The lists, counts and sweeps of a large installation on PostgreSQL: how long each takes, and by which plan. Fails when one reads the whole table
 * of all accounts.
 *   npm run bench:queries [-- --scans 100000 --findings 1000000 --accounts 1000]
 * In a database of its own, on loopback, which is gone in the end. The first account holds a third of everything.
 */
import { parseArgs } from 'node:util'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../server/src/stores/database.ts'
import type { Schema } from '../server/src/stores/schema.ts'
import { fillInstallation, type Size } from './queries/fill.ts'
import { type Plan, summarize } from './queries/plan.ts'
import { questions } from './queries/questions.ts'
import { textTable } from './text-table.ts'
import { createThrowawayPostgres } from './throwaway-postgres.ts'

const option = { type: 'string' } as const
const { values } = parseArgs({ options: { scans: option, findings: option, accounts: option } })
const size: Size = {
  scans: Number(values.scans ?? 100_000),
  findings: Number(values.findings ?? 1_000_000),
  accounts: Number(values.accounts ?? 1000),
}

const postgres = await createThrowawayPostgres()
let hasFailed = false
try {
  await (await openDatabase({ databaseUrl: postgres.url, dataDir: '.' })).close()
  const executed: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => void (event.level === 'query' && executed.push(event.query)),
  })
  const started = performance.now()
  await fillInstallation(db, size)
  console.log(
    `${size.accounts} accounts, ${size.scans} scans, ${size.findings} findings filled in ${Math.round((performance.now() - started) / 1000)} s`,
  )
  const rows: string[][] = []
  for (const { name, run } of questions(size)) {
    await run(db)
    executed.length = 0
    const before = performance.now()
    await run(db)
    const ms = performance.now() - before
    const plans: Plan[] = []
    for (const query of executed.filter(({ sql: text }) => /^\s*(select|update|delete|with)/i.test(text))) {
      const { rows: found } = await pool.query(`explain (format json) ${query.sql}`, [...query.parameters])
      plans.push(found[0]['QUERY PLAN'][0].Plan)
    }
    const { words, whole } = summarize(plans)
    if (whole.length > 0) hasFailed = true
    rows.push([name, ms.toFixed(1), whole.length > 0 ? `WHOLE TABLE: ${whole.join(', ')}` : words])
  }
  console.log(textTable(['question', 'ms', 'plan'], rows))
  const { rows: total } = await sql<{
    mb: number
  }>`select pg_database_size(current_database()) / 1048576 as mb`.execute(db)
  console.log(`${total[0]?.mb} MB of database`)
  await db.destroy()
} finally {
  postgres.remove()
}
if (hasFailed) process.exitCode = 1
