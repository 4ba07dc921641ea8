import { addDays, type Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Db } from '../stores/database.ts'
import { createSessionStore } from '../stores/sessions.ts'
import type { Client, SessionCaller } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'

export interface SessionDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  randomness: Randomness
}

export interface StartedSession {
  token: string
  expiresAt: Date
}

const LIFETIME_DAYS = 7
const TOKEN_BYTES = 32
/** A session's last use is noted this often at most: a write for every request would cost more than it tells. */
const TOUCH_MS = 60_000

export async function startSession(deps: SessionDeps, accountId: string, client: Client): Promise<StartedSession> {
  const now = deps.clock.now()
  const token = randomHex(deps.randomness, TOKEN_BYTES)
  const expiresAt = addDays(now, LIFETIME_DAYS)
  await createSessionStore(deps.db).add({
    id: newId('session', deps.randomness),
    account_id: accountId,
    token_index: deps.secrets.index('session', token),
    address: client.address,
    user_agent: client.userAgent,
    created_at: now.getTime(),
    last_used_at: now.getTime(),
    expires_at: expiresAt.getTime(),
  })
  return { token, expiresAt }
}

export async function findSession(deps: SessionDeps, token: string): Promise<SessionCaller | undefined> {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined
  const now = deps.clock.now().getTime()
  const store = createSessionStore(deps.db)
  const row = await store.find(deps.secrets.indexes('session', token), now)
  if (!row) return undefined
  if (now - row.last_used_at >= TOUCH_MS) await store.touch(row.id, now)
  return { via: 'session', accountId: row.account_id, sessionId: row.id }
}

export interface SessionView {
  id: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  address: string | null
  userAgent: string | null
  current: boolean
}

export async function listSessions(deps: SessionDeps, accountId: string, current?: string): Promise<SessionView[]> {
  const rows = await createSessionStore(deps.db).list(accountId, deps.clock.now().getTime())
  return rows.map((row) => ({
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    address: row.address || null,
    userAgent: row.user_agent || null,
    current: row.id === current,
  }))
}

export async function endSession(deps: SessionDeps, accountId: string, id: string, client: Client): Promise<void> {
  const isEnded = await createSessionStore(deps.db).remove(accountId, id)
  if (!isEnded) return refuse('sessionNotFound')
  await noteSecurityEvent(deps, accountId, 'session.ended', client)
}
