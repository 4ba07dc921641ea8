import { type Clock, secondsUntil } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { type KeyType, plans, sessionFactor, testKeyFactor } from '../core/plans.ts'
import { createAccountLimitsStore, type PlanAndLimits } from '../stores/account-limits.ts'
import type { Db } from '../stores/database.ts'
import { createDayCountStore } from '../stores/day-counts.ts'
import { createRequestCountStore, ofKey, SESSION } from '../stores/request-counts.ts'
import type { Admission, Limits } from './admission.ts'
import type { KeyCaller, SessionCaller } from './caller.ts'

export interface LimitsDeps {
  readonly db: Db
  readonly clock: Clock
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export const startOfHour = (moment: Date): number => Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS
export const startOfDay = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS) * DAY_MS
/** The next 00:00 UTC, when the day's quota starts anew. */
export const endOfDay = (moment: Date): Date => new Date(startOfDay(moment) + DAY_MS)

export async function getLimits({ db }: Pick<LimitsDeps, 'db'>, accountId: string): Promise<Limits> {
  return toLimits(accountId, await createAccountLimitsStore(db).find(accountId))
}

function toLimits(accountId: string, found: PlanAndLimits | undefined): Limits {
  if (!found) throw new Error(`There is no account ${accountId}.`)
  const plan = plans[found.plan]
  return {
    plan: plan.name,
    requestsPerHour: found.requests_per_hour ?? plan.requestsPerHour,
    scansPerDay: found.scans_per_day ?? plan.scansPerDay,
    maxFileBytes: found.max_file_bytes ?? plan.maxFileBytes,
    maxContractBytes: found.max_contract_bytes ?? plan.maxContractBytes,
    historyDays: found.history_days ?? plan.historyDays,
    features: plan.features,
  }
}

/** What an hour's requests are counted by: more keys of a type, or more sessions, buy nothing. */
export type CountedAs = KeyType | typeof SESSION

const hourlyFactors: Readonly<Record<CountedAs, number>> = {
  PRODUCTION: 1,
  TEST: testKeyFactor,
  [SESSION]: sessionFactor,
}

export const requestsPerHour = (limits: Limits, countedAs: CountedAs): number =>
  limits.requestsPerHour * hourlyFactors[countedAs]

/** Counts a request whose credential was accepted; refuses when the hour is spent. The headers are set either way. */
export async function admitRequest(
  { db, clock }: LimitsDeps,
  caller: KeyCaller | SessionCaller,
  setHeaders: (headers: Record<string, string>) => void,
): Promise<Admission> {
  const now = clock.now()
  const found = await createAccountLimitsStore(db).findWithScans(caller.accountId, startOfDay(now))
  const limits = toLimits(caller.accountId, found)
  const scansToday = found?.scans ?? 0
  const countedAs = caller.via === 'key' ? caller.keyType : SESSION
  const limit = requestsPerHour(limits, countedAs)
  const used = await createRequestCountStore(db).add(caller.accountId, countedAs, startOfHour(now), limit)
  const resetsAt = new Date(startOfHour(now) + HOUR_MS)
  const hour: Window = { name: 'hourly', limit, used: used ?? limit, seconds: 3600, resetsAt }
  const own = caller.via === 'key' ? await countForKey({ db, clock }, caller, used !== undefined) : noLimitsOfItsOwn
  setHeaders({
    ...hourHeaders(own.hour && left(own.hour) < left(hour) ? own.hour : hour),
    ...rateLimitHeaders(now, [hour, dayWindow(now, limits, scansToday), ...own.windows]),
  })
  if (used === undefined) return refuse('hourSpent', secondsUntil(now, resetsAt))
  if (own.isSpent) return refuse('keyHourSpent', secondsUntil(now, resetsAt))
  return { limits: own.key ? { ...limits, key: own.key } : limits, scansToday }
}

interface OwnLimits {
  readonly windows: readonly Window[]
  readonly hour?: Window
  readonly isSpent: boolean
  readonly key?: Limits['key']
}

const noLimitsOfItsOwn: OwnLimits = { windows: [], isSpent: false }

/** What a key with limits of its own has left of them; a request that the account may not make is not counted for the key. */
async function countForKey({ db, clock }: LimitsDeps, caller: KeyCaller, isAdmitted: boolean): Promise<OwnLimits> {
  const { requestsPerHour: perHour, scansPerDay } = caller.limits
  if (perHour === null && scansPerDay === null) return noLimitsOfItsOwn
  const now = clock.now()
  const requests = createRequestCountStore(db)
  const countHour = async (limit: number) => {
    const used = isAdmitted
      ? await requests.add(caller.accountId, ofKey(caller.keyId), startOfHour(now), limit)
      : await requests.countAs(caller.accountId, ofKey(caller.keyId), startOfHour(now))
    const resetsAt = new Date(startOfHour(now) + HOUR_MS)
    return { isSpent: used === undefined, name: 'key-hourly', limit, used: used ?? limit, seconds: 3600, resetsAt }
  }
  const hour = perHour === null ? undefined : await countHour(perHour)
  const scans = scansPerDay === null ? 0 : await createDayCountStore(db, 'key').count(caller.keyId, startOfDay(now))
  const day = scansPerDay === null ? [] : [{ ...dayWindow(now, { scansPerDay }, scans), name: 'key-daily-scans' }]
  return {
    windows: [...(hour ? [hour] : []), ...day],
    ...(hour && { hour }),
    isSpent: hour?.isSpent ?? false,
    ...(scansPerDay !== null && { key: { id: caller.keyId, scansPerDay } }),
  }
}

const left = ({ limit, used }: Window): number => Math.max(0, limit - used)

const hourHeaders = (hour: Window): Record<string, string> => ({
  'x-ratelimit-limit': String(hour.limit),
  'x-ratelimit-remaining': String(left(hour)),
  'x-ratelimit-reset': String(Math.ceil(hour.resetsAt.getTime() / 1000)),
})

interface Window {
  readonly name: string
  readonly limit: number
  readonly used: number
  readonly seconds: number
  readonly resetsAt: Date
}

const dayWindow = (now: Date, limits: Pick<Limits, 'scansPerDay'>, used: number): Window => ({
  name: 'daily-scans',
  limit: limits.scansPerDay,
  used,
  seconds: 86_400,
  resetsAt: endOfDay(now),
})

/** The two fields of the IETF draft: what applies, and what is left of it. */
function rateLimitHeaders(now: Date, windows: readonly Window[]): Record<string, string> {
  return {
    'ratelimit-policy': windows.map(({ name, limit, seconds }) => `"${name}";q=${limit};w=${seconds}`).join(', '),
    ratelimit: windows
      .map((window) => `"${window.name}";r=${left(window)};t=${secondsUntil(now, window.resetsAt)}`)
      .join(', '),
  }
}

/** The header of an answer again, after this request took a place of the day. */
export const withScansToday = (header: string, limits: Limits, scansToday: number): string =>
  header
    .replace(/("daily-scans";r=)\d+/, `$1${Math.max(0, limits.scansPerDay - scansToday)}`)
    .replace(
      /("key-daily-scans";r=)(\d+)/,
      (_all, name: string, rest: string) => `${name}${Math.max(0, Number(rest) - 1)}`,
    )
