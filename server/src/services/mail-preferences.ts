import type { Clock } from '../core/clock.ts'
import { type NoticeKind, noticeKinds } from '../messages/mails.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createMailPreferenceStore } from '../stores/mail-preferences.ts'
import type { Client } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'

export type MailPreferences = Record<NoticeKind, boolean>

export interface MailPreferenceDeps {
  db: Db
  clock: Clock
}

/** Every kind is wanted until its owner says otherwise. */
export async function readMailPreferences(deps: MailPreferenceDeps, accountId: string): Promise<MailPreferences> {
  const rows = await createMailPreferenceStore(deps.db).list(accountId)
  const unwanted = new Set(rows.filter((row) => row.is_wanted === 0).map((row) => row.kind))
  return Object.fromEntries(noticeKinds.map((kind) => [kind, !unwanted.has(kind)])) as MailPreferences
}

export async function changeMailPreferences(
  deps: MailPreferenceDeps,
  accountId: string,
  changes: Partial<Record<NoticeKind, boolean | undefined>>,
  client: Client,
): Promise<MailPreferences> {
  return transaction(deps.db, async (tx) => {
    const store = createMailPreferenceStore(tx)
    for (const kind of noticeKinds) {
      const isWanted = changes[kind]
      if (isWanted !== undefined) await store.set(accountId, kind, isWanted)
    }
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'mail-preferences.changed', client)
    return readMailPreferences({ ...deps, db: tx }, accountId)
  })
}
