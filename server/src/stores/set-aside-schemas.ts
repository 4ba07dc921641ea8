import pg from 'pg'

/** What a database holds of this service: the tables, and the queue's own. */
const schemas = ['public', 'pgboss'] as const
/** So that a dump leaves out what a restore has kept. */
export const keptSchemas = '*_before_*'
/** A clock that is off by more than this says nothing about who is alive. */
const LATEST_MS = 60_000

export interface SetAside {
  /** Names of the kept schemas. */
  readonly kept: readonly string[]
  /** Everything as it was. */
  undo(): Promise<void>
}

/**
 * Renames what is there, so that a backup finds an empty place and nothing is lost. Dropping it object by object, as `pg_restore --clean` does,
 * fails on the queue's partitions. Refuses while a service uses it.
 */
export async function setSchemasAside(url: string, now: Date): Promise<SetAside> {
  const suffix = `_before_${now.toISOString().replace(/\W/g, '').toLowerCase()}`
  const kept = await withClient(url, async (client) => {
    if (await isServing(client, now.getTime()))
      throw new Error(
        'An Assay service uses this database. Stop every replica and worker first; one that was killed counts as running for another 15 seconds.',
      )
    const found: string[] = []
    for (const schema of schemas) if (await isInUse(client, schema)) found.push(schema)
    for (const schema of found) await client.query(`alter schema ${schema} rename to ${schema}${suffix}`)
    await client.query('create schema if not exists public')
    return found
  })
  return {
    kept: kept.map((schema) => `${schema}${suffix}`),
    undo: () =>
      withClient(url, async (client) => {
        for (const schema of kept) {
          await client.query(`drop schema if exists ${schema} cascade`)
          await client.query(`alter schema ${schema}${suffix} rename to ${schema}`)
        }
      }),
  }
}

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('begin')
    const result = await act(client)
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}

async function isInUse(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    'select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 limit 1',
    [schema],
  )
  return rows.length > 0
}

async function isServing(client: pg.Client, now: number): Promise<boolean> {
  const { rows: tables } = await client.query(`select 1 where to_regclass('public.instances') is not null`)
  if (tables.length === 0) return false
  const { rows } = await client.query('select 1 from instances where alive_until > $1 and alive_until <= $2 limit 1', [
    now,
    now + LATEST_MS,
  ])
  return rows.length > 0
}
