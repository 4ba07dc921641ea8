import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../stores/database.ts'
import type { SweepStateTable } from '../stores/schema.ts'
import { createSweepStateStore, type SweepName } from '../stores/sweep-states.ts'

/**
 * What deletes for good does not believe one clock. A moment is trusted when it follows the last trusted one within a day, by the clock of the
 * database too; after a jump (a wrong clock, or a long stop) deleting waits until the new time has gone on for a day. What has expired is hidden at once
 * and deleted a day later, and far more than ever before waits for the operator.
 */
export interface SweepDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** The clock of the database's own machine, where that is another one. */
  readDatabaseClock(): Promise<number | undefined>
  /** Hears how many rows each run removed. */
  noteSweptRows?(name: SweepName, rows: number): void
}

const DAY_MS = 86_400_000
/** Sweeps come every ten minutes: a longer step is a stop or a jump. */
const MAX_STEP_MS = DAY_MS + 3_600_000
const MAX_SKEW_MS = 300_000
const GRACE_MS = DAY_MS
/** A number of rows that never waits, and how many times the largest run so far is too many. */
const NEVER_HELD = 1000
const FAR_LARGER = 10

type TimeState = Pick<SweepStateTable, 'trusted_at' | 'jumped_at' | 'seen_at'>

/** What is known of time after a look at the clock; trusted when `jumped_at` is null. */
export function observeTime(known: TimeState, now: number): TimeState {
  const trusted = { trusted_at: now, jumped_at: null, seen_at: null }
  if (now <= known.trusted_at + MAX_STEP_MS) return trusted
  const { jumped_at: jumpedAt, seen_at: seenAt } = known
  if (jumpedAt === null || seenAt === null || now < seenAt || now > seenAt + MAX_STEP_MS)
    return { ...known, jumped_at: now, seen_at: now }
  return now >= jumpedAt + DAY_MS ? trusted : { ...known, seen_at: now }
}

/** Up to when what has expired is deleted now; undefined: nothing is. */
export async function findSweepMoment(deps: SweepDeps, name: SweepName): Promise<number | undefined> {
  const { db, clock, log } = deps
  const store = createSweepStateStore(db)
  const now = clock.now().getTime()
  const skew = ((await deps.readDatabaseClock()) ?? now) - now
  if (Math.abs(skew) > MAX_SKEW_MS) {
    log.error({ sweep: name, skewMs: Math.round(skew) }, "nothing is deleted: the clock differs from the database's")
    return undefined
  }
  const known = (await store.find(name)) ?? (await newState(deps, name, now))
  const time = known.is_released ? observeTime({ ...known, trusted_at: now }, now) : observeTime(known, now)
  await store.keep({ ...known, ...time })
  if (time.jumped_at === null) return now - GRACE_MS
  const from = new Date(time.trusted_at).toISOString()
  log.error(
    { sweep: name, trustedAt: from, now: new Date(now).toISOString() },
    `nothing is deleted: the clock jumped. If it is right, deleting goes on by itself after a day, or at once by \`assay-server admin release-sweep ${name}\``,
  )
  return undefined
}

async function newState({ db }: SweepDeps, name: SweepName, now: number): Promise<SweepStateTable> {
  const newest = (await createSweepStateStore(db).findNewestRow()) ?? now
  return { name, trusted_at: newest, jumped_at: null, seen_at: null, largest: 0, held: null, is_released: 0 }
}

/** Whether that many rows may be deleted in one run. `due` is how many there are; it may stop counting at `atMost`. */
export async function admitSweep(
  { db, log }: Pick<SweepDeps, 'db' | 'log'>,
  name: SweepName,
  count: (atMost: number) => Promise<number>,
): Promise<boolean> {
  const store = createSweepStateStore(db)
  const state = await store.find(name)
  if (!state) return false
  const most = Math.max(NEVER_HELD, state.largest * FAR_LARGER)
  if (state.is_released) {
    await store.keep({ ...state, held: null })
    return true
  }
  const due = await count(most + 1)
  if (due <= most) {
    if (state.held !== null) await store.keep({ ...state, held: null })
    return true
  }
  await store.keep({ ...state, held: due })
  log.error(
    { sweep: name, due, largest: state.largest },
    `nothing is deleted: ${due} or more rows are far more than ever before. Look whether that is right, then run \`assay-server admin release-sweep ${name}\``,
  )
  return false
}

/** Notes how much went, and that a release was used up. */
export async function noteSwept(
  { db, noteSweptRows }: Pick<SweepDeps, 'db' | 'noteSweptRows'>,
  name: SweepName,
  deleted: number,
): Promise<void> {
  if (deleted > 0) noteSweptRows?.(name, deleted)
  const store = createSweepStateStore(db)
  const state = await store.find(name)
  if (!state) return
  await store.keep({ ...state, largest: Math.max(state.largest, deleted), held: null, is_released: 0 })
}
