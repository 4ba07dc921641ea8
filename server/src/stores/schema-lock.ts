import type { Pool } from 'pg'

/** Any number will do, as long as every replica asks for the same one. */
export const SCHEMA_LOCK = 4_157_241_001

/** The first one may have much to do. */
const LONGEST_MS = 600_000

/** Lets one process at a time create or change tables: what the migrations and the queue's library make. */
export async function withSchemaLock<T>(pool: Pool, act: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query({ text: `select pg_advisory_lock(${SCHEMA_LOCK})`, query_timeout: LONGEST_MS } as never)
    return await act()
  } finally {
    // The lock belongs to this connection and ends with it, whatever state it is in.
    client.release(true)
  }
}
