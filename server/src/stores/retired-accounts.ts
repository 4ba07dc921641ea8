import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/** What opens an account, is reached from outside, tells of a person, or makes work for it; the rest goes in pieces. */
const atOnce = [
  'account_limits',
  'allowed_origins',
  'api_keys',
  'billing_customers',
  'email_changes',
  'idempotent_requests',
  'login_challenges',
  'mail_preferences',
  'memberships',
  'month_counts',
  'password_resets',
  'recovery_codes',
  'scan_lanes',
  'scan_notices',
  'second_factors',
  'security_events',
  'sessions',
  'share_links',
  'told_once',
  'webhook_messages',
  'webhooks',
] as const satisfies readonly (keyof Schema)[]
const ofOrganisations = ['invitations', 'member_ids', 'memberships'] as const satisfies readonly (keyof Schema)[]
/** By the thousand: scans take their bodies, labels, reports and findings along. */
const inPieces = [
  'scans',
  'findings',
  'scan_requests',
  'scan_batches',
  'projects',
] as const satisfies readonly (keyof Schema)[]

export function createRetiredAccountStore(db: Db) {
  return {
    /** Whether it holds more scans than one statement should delete. */
    async isLarge(id: string, moreThan: number): Promise<boolean> {
      const { rows } =
        await sql`select 1 from scans where account_id = ${id} limit 1 offset ${sql.lit(moreThan)}`.execute(db)
      return rows.length > 0
    },

    /** Leaves nothing by which anyone gets in, and nothing that says whose it was. */
    async retire(id: string): Promise<void> {
      for (const table of atOnce) await sql`delete from ${sql.table(table)} where account_id = ${id}`.execute(db)
      for (const table of ofOrganisations)
        await sql`delete from ${sql.table(table)} where organisation_id = ${id}`.execute(db)
      await sql`delete from scan_requests where account_id = ${id} and status in ('queued', 'running')`.execute(db)
      await db
        .updateTable('accounts')
        .set({ email: `${id}@deleted.invalid`, name: '', password_hash: '' })
        .where('id', '=', id)
        .execute()
    },

    /** Deletes up to so many rows of what is left; how many went. */
    async removePiece(id: string, batch: number): Promise<number> {
      for (const table of inPieces) {
        const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id in (
          select id from ${sql.table(table)} where account_id = ${id} limit ${sql.lit(batch)})`.execute(db)
        if (numAffectedRows) return Number(numAffectedRows)
      }
      return 0
    },
  }
}
