import type { Secrets } from '../core/secrets.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'

const PAGE = 200

/**
 * Seals and indexes every key anew under the current master secret, so that the previous one can be taken away.
 * Safe to repeat and to interrupt; keys work all the while.
 */
export async function resealKeys({ db, secrets }: { db: Db; secrets: Secrets }): Promise<number> {
  const store = createApiKeyStore(db)
  let resealed = 0
  for (let last: string | undefined; ; ) {
    const page = await store.listAfter(last, PAGE)
    for (const { id, sealed } of page.filter((row) => secrets.isStale(row.sealed))) {
      const value = secrets.open('api-key', sealed, id)
      await store.reseal(id, secrets.index('api-key', value), secrets.seal('api-key', value, id))
      resealed += 1
    }
    if (page.length < PAGE) return resealed
    last = page.at(-1)?.id
  }
}
