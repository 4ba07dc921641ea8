import type { Db } from '../stores/database.ts'

export interface NewJob {
  readonly name: string
  readonly payload: unknown
  readonly runAt: Date
  readonly key: string | undefined
  /** Tries already made. */
  readonly attempt: number
  /** Of the request that it goes back to. */
  readonly requestId?: string | undefined
}

/** A job that is held until its lease ends; then anyone may take it again. */
export interface TakenJob {
  readonly id: string
  readonly name: string
  readonly payload: unknown
  readonly key: string | undefined
  /** The number of this try, from 1; a try that ended with its process counts. */
  readonly attempt: number
  readonly requestId?: string | undefined
}

/** A job that waits longer than a clock that is a little off can explain. */
export interface DelayedJob {
  readonly id: string
  readonly name: string
  /** Tries already made. */
  readonly attempt: number
  /** From now, by whichever clock says more. */
  readonly delayMs: number
}

/** Where jobs wait; one implementation per database. */
export interface JobStorage {
  /** Visible to runners when the transaction commits. A waiting job with the same name and key is left alone. */
  add(db: Db, job: NewJob): Promise<void>
  /** The same for many of one kind at once, none of which has a key. */
  addMany(db: Db, jobs: readonly NewJob[]): Promise<void>
  /** The names of which `take` would find something; one question instead of one per kind. */
  listTakeable(): Promise<ReadonlySet<string>>
  take(name: string, limit: number): Promise<TakenJob[]>
  finish(job: TakenJob): Promise<void>
  /** Gives the job back for another try. */
  postpone(job: TakenJob, runAt: Date): Promise<void>
  /** Keeps it for the operator to see, but never runs it again. */
  giveUp(job: TakenJob, reason: string): Promise<void>
  countWaiting(name: string): Promise<number>
  /** How many are due and not begun, by name; names with none are left out. */
  countDue(): Promise<ReadonlyMap<string, number>>
  /** Revives jobs whose lease ended, and makes due what is due by our clock, which may have been moved. */
  catchUp(): Promise<void>
  /** Those that are due later than in `delayMs`. */
  listDelayed(delayMs: number): Promise<DelayedJob[]>
  /** Makes a waiting job due in so many milliseconds. */
  makeDueIn(job: DelayedJob, delayMs: number): Promise<void>
  /** Takes every job from its holder. */
  endLeases(): Promise<void>
  stop(): Promise<void>
}
