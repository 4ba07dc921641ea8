import { type Clock, secondsUntil } from '../core/clock.ts'
import { Refusal, refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createDayCountStore } from '../stores/day-counts.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import type { ScanRequestTable, ScanReservationTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { endOfDay, startOfDay } from './limits.ts'

export interface ScanQuotaDeps {
  readonly db: Db
  readonly clock: Clock
  /** Names this process; its reservations live as long as it does. */
  readonly instanceId: string
}

/** A place in the day's quota, held while a scan is under way. */
export interface Reservation {
  readonly id: string
  readonly accountId: string
  readonly day: number
  /** Scans of the day, this one included. */
  readonly scansToday: number
  /** The key whose own count holds a place too. */
  readonly keyId: string | null
}

/** How long a process that stopped beating still counts as alive. */
export const ALIVE_MS = 15_000
const BEAT_MS = 5000

/** Refuses when the day is used up, before anything is read or reserved. */
export async function assertQuotaLeft(deps: ScanQuotaDeps, accountId: string, limits: Limits): Promise<void> {
  const now = deps.clock.now()
  const day = startOfDay(now)
  const { key } = limits
  const isSpent = async () => (await createScanCountStore(deps.db).count(accountId, day)) >= limits.scansPerDay
  const isKeySpent = async () =>
    key !== undefined && (await createDayCountStore(deps.db, 'key').count(key.id, day)) >= key.scansPerDay
  if (!(await isSpent()) && !(await isKeySpent())) return
  // What a killed process held may not have been given back yet. This one is alive, whatever a clock that jumped makes of its last beat.
  await giveBackOrphans(deps, deps.instanceId)
  if (await isSpent()) refuseSpent('quotaSpent', now, limits.scansPerDay)
  if (key && (await isKeySpent())) refuseSpent('keyQuotaSpent', now, key.scansPerDay)
}

/** Takes a place of the day, or refuses: with any number of processes asking at once, exactly as many get one as there are. */
export async function reserveScan(deps: ScanQuotaDeps, accountId: string, limits: Limits): Promise<Reservation> {
  const now = deps.clock.now()
  const day = startOfDay(now)
  const id = newId('job')
  const keyId = limits.key?.id ?? null
  const place = { id, instance_id: deps.instanceId, account_id: accountId, day, key_id: keyId }
  try {
    const scansToday = limits.key
      ? await reserveWithKey(deps, place, { ...limits, key: limits.key })
      : await createScanCountStore(deps.db).reserve(place, limits.scansPerDay)
    if (scansToday === undefined) return refuseSpent('quotaSpent', now, limits.scansPerDay)
    return { id, accountId, day, scansToday, keyId }
  } catch (error) {
    // A connection that was lost may have lost the answer alone: the place is taken then, and nobody else knows of it.
    if (!(error instanceof Refusal)) await giveBackSurely(deps, { id, accountId, day, scansToday: 0, keyId })
    throw error
  }
}

/** Places of the day that outlive the process which took them. */
export interface LastingPlaces {
  readonly day: number
  /** Scans of the day before the first of these. */
  readonly before: number
}

/**
 * Takes places for scans that are stored in the same transaction, and that give them back themselves when they come to nothing: all of them or
 * none.
 */
export async function takePlaces(
  { db, clock }: Pick<ScanQuotaDeps, 'db' | 'clock'>,
  accountId: string,
  limits: Limits,
  places: number,
): Promise<LastingPlaces> {
  const now = clock.now()
  const day = startOfDay(now)
  const { key } = limits
  if (key && (await createDayCountStore(db, 'key').take(key.id, day, key.scansPerDay, places)) === undefined)
    return refuseSpent('keyQuotaSpent', now, key.scansPerDay)
  const taken = await createScanCountStore(db).take(accountId, day, limits.scansPerDay, places)
  return taken === undefined ? refuseSpent('quotaSpent', now, limits.scansPerDay) : { day, before: taken - places }
}

/** Frees the place of a scan that was stored and gave no result, once. */
export async function freePlace(tx: Db, { id, account_id, day, key_id }: ScanRequestTable): Promise<void> {
  if (await createScanRequestStore(tx).letGoOfPlace(id)) await giveBackPlace(tx, account_id, day, key_id)
}

/** Both places or neither: what is thrown in the transaction undoes it. */
const reserveWithKey = (
  { db, clock }: ScanQuotaDeps,
  place: ScanReservationTable,
  { scansPerDay, key }: Limits & { readonly key: NonNullable<Limits['key']> },
): Promise<number | undefined> =>
  transaction(db, async (tx) => {
    const taken = await createDayCountStore(tx, 'key').take(key.id, place.day, key.scansPerDay)
    if (taken === undefined) return refuseSpent('keyQuotaSpent', clock.now(), key.scansPerDay)
    const scansToday = await createScanCountStore(tx).reserve(place, scansPerDay)
    return scansToday ?? refuseSpent('quotaSpent', clock.now(), scansPerDay)
  })

/** Makes the reservation a charge. Part of the transaction that stores the result, so that both happen or neither. */
export async function chargeScan(tx: Db, { id, accountId, day, keyId }: Reservation): Promise<void> {
  const counts = createScanCountStore(tx)
  if (await counts.release(id)) return
  if (keyId !== null) await createDayCountStore(tx, 'key').force(keyId, day)
  await counts.force(accountId, day)
}

/** No result was produced: the place is free again. Safe to call twice. */
export async function giveBackScan(
  { db }: Pick<ScanQuotaDeps, 'db'>,
  { id, accountId, day, keyId }: Reservation,
): Promise<void> {
  await transaction(db, async (tx) => {
    if (await createScanCountStore(tx).release(id)) await giveBackPlace(tx, accountId, day, keyId)
  })
}

/** The key's count before the account's, as everywhere: two that take and give back never wait for each other. */
export async function giveBackPlace(
  tx: Db,
  accountId: string,
  day: number,
  keyId: string | null,
  places = 1,
): Promise<void> {
  if (keyId !== null) await createDayCountStore(tx, 'key').giveBack(keyId, day, places)
  await createScanCountStore(tx).giveBack(accountId, day, places)
}

const RETRY_AFTER_MS = [1000, 5000, 15_000, 60_000, 300_000]

/**
 * Gives a place back even if the database is away just now: the failure that led here must be reported, not the one of tidying up, and a
 * living process would hold the place for the rest of the day.
 */
export async function giveBackSurely(
  deps: Pick<ScanQuotaDeps, 'db'>,
  reservation: Reservation,
  tries = 0,
): Promise<void> {
  try {
    await giveBackScan(deps, reservation)
  } catch {
    const pause = RETRY_AFTER_MS[tries]
    if (pause !== undefined) setTimeout(() => void giveBackSurely(deps, reservation, tries + 1), pause).unref()
  }
}

/** Gives back what processes held that are gone; how many places. */
export async function giveBackOrphans(
  { db, clock }: Pick<ScanQuotaDeps, 'db' | 'clock'>,
  living: string | null = null,
): Promise<number> {
  return transaction(db, async (tx) => {
    const counts = createScanCountStore(tx)
    const now = clock.now().getTime()
    const orphans = await counts.releaseOrphans(now, now + 2 * ALIVE_MS, living)
    for (const { account_id, day, key_id } of orphans) await giveBackPlace(tx, account_id, day, key_id)
    return orphans.length
  })
}

export interface Instance {
  stop(): Promise<void>
}

export interface InstanceOptions {
  /** No other process can be serving this database: whatever others held is free at once. */
  readonly isAlone: boolean
  readonly onError: (error: unknown) => void
  /** What else is to be done for processes that are gone. */
  readonly onBeat?: () => Promise<unknown>
}

/** Announces this process and keeps it announced; gives back what dead ones held. */
export async function startInstance(
  deps: ScanQuotaDeps,
  { isAlone, onError, onBeat }: InstanceOptions,
): Promise<Instance> {
  const { db, clock, instanceId } = deps
  const counts = createScanCountStore(db)
  const beat = async (): Promise<void> => {
    const now = clock.now().getTime()
    await counts.keepAlive(instanceId, now + ALIVE_MS)
    await counts.forgetDeadInstances(now)
    await giveBackOrphans(deps)
    await onBeat?.()
  }
  if (isAlone) await counts.forgetOtherInstances(instanceId)
  await beat()
  const timer = setInterval(() => void beat().catch(onError), BEAT_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      await counts.forgetInstance(instanceId)
      await giveBackOrphans(deps)
    },
  }
}

function refuseSpent(name: 'quotaSpent' | 'keyQuotaSpent', now: Date, scansPerDay: number): never {
  const resetsAt = endOfDay(now)
  return refuse(name, resetsAt, secondsUntil(now, resetsAt), scansPerDay)
}
