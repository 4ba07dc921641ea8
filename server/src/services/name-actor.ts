import { createAccountStore } from '../stores/accounts.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'
import type { Actor } from './note-change.ts'

/** As colleagues know who acted: by the address, or by the name of the key. */
export async function nameActor(db: Db, { caller }: Actor): Promise<string | null> {
  if (caller.via === 'key') {
    const key = await createApiKeyStore(db).find(caller.accountId, caller.keyId)
    return key ? `API key ${key.name}` : null
  }
  const id = (caller.via === 'session' && caller.memberId) || caller.accountId
  return (await createAccountStore(db).find(id))?.email ?? null
}
