import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import type { Secrets } from '../core/secrets.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'
import { createKeyUsageStore } from '../stores/key-usage.ts'
import type { KeyCaller } from './caller.ts'
import { isWellFormedKey } from './key-format.ts'
import { scopesOf } from './key-scopes.ts'
import { startOfDay } from './limits.ts'

export interface KeyAuthenticationDeps {
  db: Db
  clock: Clock
  secrets: Secrets
}

/** The keys seen in the last seconds: what they may do, and when they were used. */
export interface KeyAuthenticator {
  authenticate(value: string): Promise<KeyCaller>
  /** Forgets what is known of a key, so that a change holds on this replica at once. */
  forget(keyId: string): void
  /** Writes the moments of use that were gathered. */
  flushUses(): Promise<void>
}

interface KnownKey {
  caller: KeyCaller
  expiresAt: number
  knownUntil: number
}

/** What a key did on one day and is not written yet. */
interface Use {
  readonly caller: KeyCaller
  readonly day: number
  readonly at: number
  readonly requests: number
}

/** How long another replica may not notice a revocation. */
const MEMORY_MS = 5000
const MAX_KNOWN = 10_000
const FLUSH_MS = 10_000

export function createKeyAuthenticator(deps: KeyAuthenticationDeps): KeyAuthenticator {
  const known = new Map<string, KnownKey>()
  /** By key and day. */
  const uses = new Map<string, Use>()
  /** Grows with every `forget`: an answer that was read before must not be remembered after. */
  let generation = 0
  let flushedAt = deps.clock.now().getTime()

  const remember = (index: string, key: KnownKey): void => {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(index, key)
  }

  const look = async (value: string, index: string, now: number): Promise<KnownKey> => {
    const startedIn = generation
    const row = await createApiKeyStore(deps.db).findByIndex(deps.secrets.indexes('api-key', value))
    if (!row || row.revoked_at !== null) return refuse('keyInvalid')
    const caller: KeyCaller = {
      via: 'key',
      accountId: row.account_id,
      keyId: row.id,
      keyType: row.type,
      scopes: scopesOf(row),
      limits: { requestsPerHour: row.requests_per_hour, scansPerDay: row.scans_per_day },
    }
    const key = { caller, expiresAt: row.expires_at, knownUntil: now + MEMORY_MS }
    if (startedIn === generation) remember(index, key)
    return key
  }

  const noteUse = (caller: KeyCaller, at: number): void => {
    const day = startOfDay(new Date(at))
    const name = `${caller.keyId} ${day}`
    const requests = (uses.get(name)?.requests ?? 0) + 1
    uses.set(name, { caller, day, at, requests })
  }

  const writeUses = async (): Promise<void> => {
    flushedAt = deps.clock.now().getTime()
    const gathered = [...uses.values()]
    uses.clear()
    const keys = createApiKeyStore(deps.db)
    const usage = createKeyUsageStore(deps.db)
    for (const { caller, day, at, requests } of gathered) {
      await keys.touch(caller.keyId, at)
      await usage.add({ account_id: caller.accountId, key_id: caller.keyId, day, requests })
    }
  }

  /** One write at a time; callers wait for it and then write what has come since. */
  let writing = Promise.resolve()
  const flushUses = (): Promise<void> => {
    writing = writing.then(writeUses, writeUses)
    return writing
  }

  /** No request waits for this, and a use that cannot be noted is no reason to refuse it. */
  const noteUsesLater = (now: number): void => {
    flushedAt = now
    flushUses().catch(() => undefined)
  }

  return {
    async authenticate(value) {
      if (!isWellFormedKey(value)) return refuse('keyInvalid')
      const now = deps.clock.now().getTime()
      const index = deps.secrets.index('api-key', value)
      const remembered = known.get(index)
      const key = remembered && remembered.knownUntil > now ? remembered : await look(value, index, now)
      if (key.expiresAt <= now) return refuse('keyInvalid')
      noteUse(key.caller, now)
      if (now - flushedAt >= FLUSH_MS) noteUsesLater(now)
      return key.caller
    },
    forget(keyId) {
      generation += 1
      for (const [index, { caller }] of known) if (caller.keyId === keyId) known.delete(index)
    },
    flushUses,
  }
}
