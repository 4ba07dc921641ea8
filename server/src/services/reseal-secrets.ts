import type { Secrets } from '../core/secrets.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import { createWebhookStore } from '../stores/webhooks.ts'

export interface ResealDeps {
  db: Db
  secrets: Secrets
}

const PAGE = 200

/**
 * Seals everything that lasts anew under the current master secret, so that the previous one can be taken away. Safe to
 * repeat and to interrupt; all of it works all the while. What was signed or sealed for hours only is left to run out, and what a
 * secret made that is not given here stays as it is, for the day it is.
 */
export async function resealSecrets(deps: ResealDeps): Promise<{ keys: number; webhooks: number; factors: number }> {
  return {
    keys: await resealKeys(deps),
    webhooks: await resealWebhooks(deps),
    factors: await resealFactors(deps),
  }
}

async function resealKeys({ db, secrets }: ResealDeps): Promise<number> {
  const store = createApiKeyStore(db)
  return forEachPage(store.listAfter, async ({ id, sealed }) => {
    if (!secrets.isStale(sealed) || !secrets.isSealedHere(sealed)) return false
    const value = secrets.open('api-key', sealed, id)
    await store.reseal(id, secrets.index('api-key', value), secrets.seal('api-key', value, id))
    return true
  })
}

async function resealWebhooks({ db, secrets }: ResealDeps): Promise<number> {
  const store = createWebhookStore(db)
  return forEachPage(store.listAfter, async (row) => {
    const sealed = [row.secret, row.previous_secret].filter((text) => text !== null)
    if (!sealed.some((text) => secrets.isStale(text)) || !sealed.every((text) => secrets.isSealedHere(text)))
      return false
    const reseal = (text: string) =>
      secrets.seal('webhook-secret', secrets.open('webhook-secret', text, row.id), row.id)
    return store.reseal(row, {
      secret: reseal(row.secret),
      previous_secret: row.previous_secret === null ? null : reseal(row.previous_secret),
    })
  })
}

async function resealFactors({ db, secrets }: ResealDeps): Promise<number> {
  const store = createSecondFactorStore(db)
  return forEachPage(store.listAfter, async ({ id, secret }) => {
    if (secret === null || !secrets.isStale(secret) || !secrets.isSealedHere(secret)) return false
    await store.reseal(id, secrets.seal('totp', secrets.open('totp', secret, id), id))
    return true
  })
}

/** Goes through a table in the order of its ids; how many rows `act` changed. */
async function forEachPage<Row extends { id: string }>(
  list: (afterId: string | undefined, limit: number) => Promise<Row[]>,
  act: (row: Row) => Promise<boolean>,
): Promise<number> {
  let changed = 0
  for (let last: string | undefined; ; ) {
    const page = await list(last, PAGE)
    for (const row of page) if (await act(row)) changed += 1
    if (page.length < PAGE) return changed
    last = page.at(-1)?.id
  }
}
