import type { Clock } from '../core/clock.ts'
import { looksLikeId, newSortableId } from '../core/ids.ts'
import type { Db } from '../stores/database.ts'
import { createMemberIdStore } from '../stores/member-ids.ts'
import { createSecurityEventStore } from '../stores/security-events.ts'
import type { Client } from './caller.ts'

export interface SecurityLogDeps {
  db: Db
  clock: Clock
}

/** What is noted for the owner, and how a person reads it. */
export const securityEvents = {
  'account.verified': 'The email address was verified',
  'login.succeeded': 'Logged in',
  'login.failed': 'A login failed',
  'second-factor.failed': 'A second factor was not accepted after the right password',
  'second-factor.added': 'A second factor was added',
  'second-factor.removed': 'A second factor was removed',
  'recovery-codes.made': 'New recovery codes were created',
  'recovery-code.used': 'A recovery code was used',
  'session.ended': 'A session was ended',
  'password.reset-requested': 'A password reset was requested',
  'password.changed': 'The password was changed',
  'name.changed': 'The name was changed',
  'email.change-requested': 'A new email address was requested',
  'email.changed': 'The email address was changed',
  'account.exported': 'All account data was exported',
  'sessions.ended': 'Every session was ended',
  'key.created': 'An API key was created',
  'key.changed': 'An API key was changed',
  'key.revoked': 'An API key was revoked',
  'key.rotated': 'An API key was rotated',
  'user-id.used': 'The account was used by its userId, without a token',
  'mail-preferences.changed': 'Email preferences were changed',
  'plan.changed': 'The plan was changed',
  'plan.upgrade-requested': 'A plan upgrade was started',
  'finding.decided': 'The status of a finding was changed',
  'finding.assigned': 'A finding was assigned or unassigned',
  'finding.commented': 'The comment on a finding was changed',
  'project.changed': 'The settings of a project were changed',
  'origins.changed': 'The sites whose pages may use API keys were changed',
  'webhook.created': 'A webhook was created',
  'webhook.changed': 'A webhook was changed',
  'webhook.deleted': 'A webhook was deleted',
  'scan.deleted': 'A scan was deleted',
  'link.created': 'A shared link was created',
  'link.revoked': 'A shared link was revoked',
  'scan.cancelled': 'A scan was cancelled',
  'batch.cancelled': 'A batch of scans was cancelled',
  'webhook.secret-rotated': 'A webhook secret was rotated',
  'organisation.created': 'The organization was created',
  'organisation.deleted': 'An organization was deleted',
  'organisation.renamed': 'The organization was renamed',
  'member.invited': 'A member was invited',
  'member.uninvited': 'An invitation was withdrawn',
  'member.joined': 'A member joined',
  'member.role-changed': 'The role of a member was changed',
  'member.rights-changed': 'The rights of a member were changed',
  'member.left': 'A member left or was removed',
} as const

export type SecurityEventKind = keyof typeof securityEvents

/** Client of what the service does by itself. */
export const ourselves: Client = { address: '', userAgent: '' }

/** Notes an event in the caller's transaction. The detail must not hold a secret: the owner's log is shown in full. */
export async function noteSecurityEvent(
  deps: SecurityLogDeps,
  accountId: string,
  kind: SecurityEventKind,
  client: Client,
  detail?: Record<string, string>,
): Promise<void> {
  const now = deps.clock.now()
  const full = client.member ? { ...detail, by: client.member } : detail
  await createSecurityEventStore(deps.db).add({
    id: newSortableId('event', now),
    account_id: accountId,
    kind,
    address: client.address,
    user_agent: client.userAgent,
    detail: full ? JSON.stringify(full) : null,
    at: now.getTime(),
  })
}

export interface SecurityEvent {
  id: string
  at: string
  event: string
  description: string
  address: string | null
  userAgent: string | null
  detail: Record<string, string>
}

export interface SecurityLogPage {
  events: SecurityEvent[]
  total: number
  nextCursor: string | null
}

/** The newest events first; the cursor is the id of the last one shown. */
export async function listSecurityEvents(
  deps: SecurityLogDeps,
  accountId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<SecurityLogPage> {
  const rows = await createSecurityEventStore(deps.db).list(accountId, page.limit + 1, page.cursor)
  const shown = rows.slice(0, page.limit)
  const details = shown.map(({ detail }) => (detail ? (JSON.parse(detail) as Record<string, string>) : {}))
  const named = looksLikeId('organisation', accountId) ? await nameMembers(deps.db, accountId, details) : details
  return {
    events: shown.map((row, at) => ({
      id: row.id,
      at: new Date(row.at).toISOString(),
      event: row.kind,
      description: (securityEvents as Record<string, string>)[row.kind] ?? row.kind,
      address: row.address || null,
      userAgent: row.user_agent || null,
      detail: named[at] ?? {},
    })),
    total: await createSecurityEventStore(deps.db).count(accountId),
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** Who did it, and to whom. */
const PEOPLE = ['by', 'member'] as const

/** Kept by account, reported by membership: colleagues read the log of an organisation, and none of them another's userId. */
async function nameMembers(
  db: Db,
  organisationId: string,
  details: readonly Record<string, string>[],
): Promise<Record<string, string>[]> {
  const accountIds = details.flatMap((detail) => PEOPLE.flatMap((field) => detail[field] ?? []))
  const names = await createMemberIdStore(db).name(organisationId, accountIds)
  return details.map((detail) => {
    const people = PEOPLE.flatMap((field) => {
      const name = names.get(detail[field] ?? '')
      return name === undefined ? [] : [[field, name] as const]
    })
    return { ...detail, ...Object.fromEntries(people) }
  })
}
