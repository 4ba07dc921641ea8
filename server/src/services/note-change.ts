import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'
import type { Caller, Client } from './caller.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { recipientsOf } from './recipients.ts'
import { noteSecurityEvent, type SecurityEventKind, securityEvents } from './security-log.ts'
import { count } from './throttle.ts'

export interface NoteChangeDeps extends MailDeps {
  db: Db
  clock: Clock
  config: Pick<Config, 'publicUrl'>
}

/** Who changes something, and from where. */
export interface Actor {
  caller: Caller
  client: Client
}

/** What a pipeline does many times a day, and what gives nothing away: the log is enough. */
const unmailed: ReadonlySet<SecurityEventKind> = new Set([
  'finding.decided',
  'finding.assigned',
  'finding.commented',
  'project.changed',
])

/**
 * Notes a change in the owner's security log, in the caller's transaction. One made with an API key is reported by mail too: a key that
 * leaked acts without anyone logging in. Of each kind a few mails an hour are enough to tell.
 */
export async function noteChange(
  deps: NoteChangeDeps,
  { caller, client }: Actor,
  kind: SecurityEventKind,
  detail: Record<string, string>,
): Promise<void> {
  const by = caller.via === 'key' ? { keyId: caller.keyId } : {}
  await noteSecurityEvent(deps, caller.accountId, kind, client, { ...detail, ...by })
  if (caller.via !== 'key' || unmailed.has(kind)) return
  const outcome = await count(deps, 'changeMails', `${caller.accountId}:${kind}`)
  const account = outcome.isAdmitted ? await createAccountStore(deps.db).find(caller.accountId) : undefined
  if (!account) return
  const key = await createApiKeyStore(deps.db).find(caller.accountId, caller.keyId)
  const facts = {
    publicUrl: deps.config.publicUrl,
    change: securityEvents[kind],
    keyName: key?.name ?? '',
    at: deps.clock.now(),
  }
  for (const address of await recipientsOf(deps.db, account))
    await queueMail(deps, deps.db, address, 'changedByKey', facts)
}
