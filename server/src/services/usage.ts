import { addDays, type Clock } from '../core/clock.ts'
import type { PlanName } from '../core/plans.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'
import { createKeyUsageStore } from '../stores/key-usage.ts'
import { createRequestCountStore } from '../stores/request-counts.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import type { KeyAuthenticator } from './authenticate-key.ts'
import { endOfDay, getLimits, startOfDay, startOfHour } from './limits.ts'

export interface UsageDeps {
  readonly db: Db
  readonly clock: Clock
  readonly keyAuthenticator: Pick<KeyAuthenticator, 'flushUses'>
}

export interface DayOfUse {
  /** UTC. */
  readonly date: string
  readonly scans: number
  /** With keys; those that made none are not among them. */
  readonly keys: readonly { readonly keyId: string; readonly name: string; readonly requests: number }[]
}

export interface Usage {
  readonly plan: PlanName
  readonly quotas: { readonly scansPerDay: number; readonly requestsPerHour: number }
  readonly today: {
    readonly scans: number
    readonly scansRemaining: number
    readonly resetsAt: string
    readonly requestsThisHour: number
  }
  /** Days on which something was done, the newest first. */
  readonly days: readonly DayOfUse[]
}

/** What an account has used, by day and by key; for anyone who may call with one of its keys. */
export async function readUsage(deps: UsageDeps, accountId: string, days: number): Promise<Usage> {
  await deps.keyAuthenticator.flushUses()
  const { db, clock } = deps
  const now = clock.now()
  const since = startOfDay(addDays(now, 1 - days))
  const limits = await getLimits(deps, accountId)
  const scans = new Map((await createScanCountStore(db).listSince(accountId, since)).map(({ day, n }) => [day, n]))
  const uses = await createKeyUsageStore(db).listSince(accountId, since)
  const names = new Map((await createApiKeyStore(db).list(accountId)).map(({ id, name }) => [id, name]))
  const scansToday = scans.get(startOfDay(now)) ?? 0
  const toDay = (day: number): DayOfUse => ({
    date: new Date(day).toISOString().slice(0, 10),
    scans: scans.get(day) ?? 0,
    keys: uses
      .filter((use) => use.day === day)
      .map(({ key_id, requests }) => ({ keyId: key_id, name: names.get(key_id) ?? '', requests })),
  })
  const used = new Set([...uses.map(({ day }) => day), ...[...scans].filter(([, n]) => n > 0).map(([day]) => day)])
  return {
    plan: limits.plan,
    quotas: { scansPerDay: limits.scansPerDay, requestsPerHour: limits.requestsPerHour },
    today: {
      scans: scansToday,
      scansRemaining: Math.max(0, limits.scansPerDay - scansToday),
      resetsAt: endOfDay(now).toISOString(),
      requestsThisHour: await createRequestCountStore(db).count(accountId, startOfHour(now)),
    },
    days: [...used].sort((a, b) => b - a).map(toDay),
  }
}
