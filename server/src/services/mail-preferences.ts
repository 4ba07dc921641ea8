import type { Clock } from '../core/clock.ts'
import { isWantedByDefault, type NoticeKind, noticeKinds } from '../messages/mails.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createMailPreferenceStore } from '../stores/mail-preferences.ts'
import type { MailPreferenceTable } from '../stores/schema.ts'
import type { Client } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'

export type MailPreferences = Record<NoticeKind, boolean>

export interface MailPreferenceDeps {
  db: Db
  clock: Clock
}

export async function readMailPreferences(deps: MailPreferenceDeps, accountId: string): Promise<MailPreferences> {
  const rows = await createMailPreferenceStore(deps.db).list(accountId)
  return Object.fromEntries(noticeKinds.map((kind) => [kind, isWanted(rows, kind)])) as MailPreferences
}

/** As its owner chose; else as the kind is by default. */
export function isWanted(rows: readonly MailPreferenceTable[], kind: NoticeKind): boolean {
  const chosen = rows.find((row) => row.kind === kind)
  return chosen ? chosen.is_wanted === 1 : isWantedByDefault(kind)
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
