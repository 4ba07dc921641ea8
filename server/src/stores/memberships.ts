import type { Db } from './database.ts'
import type { MembershipTable } from './schema.ts'

export type MembershipRow = MembershipTable
export type MembershipChanges = Pick<MembershipRow, 'role' | 'publishes_source'>
export type MemberRow = MembershipRow & { email: string; name: string }
export type OrganisationRow = MembershipRow & { name: string; plan: string; created_at: number }

export function createMembershipStore(db: Db) {
  return {
    /** False when they are a member already. */
    async add(row: MembershipRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('memberships')
        .values(row)
        .onConflict((conflict) => conflict.columns(['organisation_id', 'account_id']).doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    find: (organisationId: string, accountId: string): Promise<MembershipRow | undefined> =>
      db
        .selectFrom('memberships')
        .selectAll()
        .where('organisation_id', '=', organisationId)
        .where('account_id', '=', accountId)
        .executeTakeFirst(),

    /** The organisations of a person, the oldest membership first. */
    listOf: (accountId: string): Promise<OrganisationRow[]> =>
      db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.organisation_id')
        .selectAll('memberships')
        .select(['accounts.name', 'accounts.plan', 'accounts.created_at'])
        .where('memberships.account_id', '=', accountId)
        .orderBy('memberships.joined_at')
        .orderBy('memberships.organisation_id')
        .execute(),

    /** The members of an organisation, the oldest first. */
    list: (organisationId: string): Promise<MemberRow[]> =>
      db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
        .selectAll('memberships')
        .select(['accounts.email', 'accounts.name'])
        .where('memberships.organisation_id', '=', organisationId)
        .orderBy('memberships.joined_at')
        .orderBy('memberships.account_id')
        .execute(),

    async change(organisationId: string, accountId: string, changes: MembershipChanges): Promise<void> {
      await db
        .updateTable('memberships')
        .set(changes)
        .where('organisation_id', '=', organisationId)
        .where('account_id', '=', accountId)
        .execute()
    },

    async remove(organisationId: string, accountId: string): Promise<void> {
      await db
        .deleteFrom('memberships')
        .where('organisation_id', '=', organisationId)
        .where('account_id', '=', accountId)
        .execute()
    },
  }
}
