import type { AccountRow } from '../stores/accounts.ts'
import type { Db } from '../stores/database.ts'
import { createMembershipStore } from '../stores/memberships.ts'

/** Who is notified of what happens in an account: the person, or the owners of an organisation. */
export async function recipientsOf(db: Db, { id, kind, email }: AccountRow): Promise<string[]> {
  if (kind === 'person') return [email]
  const members = await createMembershipStore(db).list(id)
  return members.filter(({ role }) => role === 'owner').map((member) => member.email)
}
