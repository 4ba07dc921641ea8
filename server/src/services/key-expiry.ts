import { z } from 'zod'
import { addDays, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { defineJobKind } from '../queue/job.ts'
import { type ApiKeyRow, createApiKeyStore } from '../stores/api-keys.ts'
import { type Db, transaction } from '../stores/database.ts'
import { getLimits } from './limits.ts'
import { type MailDeps, queueNotice } from './mail.ts'
import { queueEvent } from './queue-event.ts'

export const keyExpiryJob = defineJobKind({
  name: 'key-expiry-notices',
  payload: z.object({}),
  retryAfterSeconds: [60, 600],
  everySeconds: 3600,
})

export interface KeyExpiryDeps extends MailDeps {
  db: Db
  clock: Clock
  config: Pick<Config, 'publicUrl'>
}

const NOTICE_DAYS = 14
const PAGE = 200

/** Tells owners of keys that end within two weeks, once for each key. */
export async function warnOfExpiringKeys(deps: KeyExpiryDeps): Promise<void> {
  const now = deps.clock.now()
  const soon = addDays(now, NOTICE_DAYS).getTime()
  for (;;) {
    const keys = await createApiKeyStore(deps.db).listExpiring(now.getTime(), soon, PAGE)
    for (const key of keys) {
      await transaction(deps.db, async (tx) => {
        if (!(await createApiKeyStore(tx).noteExpiryNotice(key.id, now.getTime()))) return
        const facts = { keyName: key.name, keyType: key.type, expiresAt: new Date(key.expires_at) }
        await queueNotice(deps, tx, key.account_id, 'keyExpiring', facts)
        await announceExpiry(deps, tx, key)
      })
    }
    if (keys.length < PAGE) return
  }
}

async function announceExpiry(deps: KeyExpiryDeps, tx: Db, key: ApiKeyRow): Promise<void> {
  const { features } = await getLimits({ db: tx }, key.account_id)
  if (!features.webhooks) return
  const expiresAt = new Date(key.expires_at).toISOString()
  await queueEvent(deps, tx, {
    id: `msg_${key.id.replace(/^[a-z]+_/, '')}-expiring`,
    accountId: key.account_id,
    type: 'key.expiring',
    at: deps.clock.now(),
    body: { keyId: key.id, name: key.name, keyType: key.type, expiresAt },
  })
}
