import type { Db } from '../stores/database.ts'
import { findUncaused } from './causes.ts'

export interface Allowance {
  /** Results that retention deleted. */
  readonly swept?: number
  /** Scans may still wait to be begun: nobody works on the store any more. */
  readonly mayWait?: boolean
}

/** What a store promises while nobody works on it, and where it is not so: each kind of promise with what breaks it. */
export interface BrokenPromises {
  /** A result is charged once and nothing else is. */
  readonly charges: string[]
  /** Every scan that was accepted has ended, and as its result says. */
  readonly scans: string[]
  /** No place of the day is held. */
  readonly places: string[]
  /** Every state has its cause: a scan that saw or looked, a person who decided, a reason. */
  readonly states: string[]
}

export async function findBroken(db: Db, { swept = 0, mayWait = false }: Allowance = {}): Promise<BrokenPromises> {
  const scans = await db.selectFrom('scans').select(['id', 'account_id']).execute()
  // Counts outlive a deleted account until their day is over.
  const counts = await db
    .selectFrom('scan_counts as c')
    .innerJoin('accounts as a', 'a.id', 'c.account_id')
    .select(['c.account_id', 'c.n'])
    .execute()
  const requests = await db.selectFrom('scan_requests').select(['id', 'account_id', 'status', 'holds_place']).execute()
  const deleted = await db
    .selectFrom('security_events')
    .select(['id', 'account_id'])
    .where('kind', '=', 'scan.deleted')
    .execute()
  const reserved = await db.selectFrom('scan_reservations').select('id').execute()
  const open = requests.filter(({ status }) => status === 'running' || (status === 'queued' && !mayWait))
  const results = new Set(scans.map(({ id }) => id))
  const untrue = requests.filter(({ id, status }) => results.has(id) !== (status === 'completed'))
  const holding = requests.filter(
    ({ id, status, holds_place }) => holds_place === 1 && ['queued', 'running'].includes(status) && !results.has(id),
  )
  return {
    charges: compareCharges([...scans, ...holding], counts, { deleted, swept }),
    scans: [
      ...(open.length > 0 ? [`${open.length} accepted scans never ended`] : []),
      ...untrue.map(({ id, status }) => `${id} is ${status} and its result says otherwise`),
    ],
    places: reserved.length > 0 ? [`${reserved.length} places of the day are held by nobody`] : [],
    states: await findUncaused(db),
  }
}

interface Owned {
  readonly account_id: string
}

function compareCharges(
  taken: readonly Owned[],
  counts: readonly (Owned & { n: number })[],
  gone: { readonly deleted: readonly Owned[]; readonly swept: number },
): string[] {
  const broken: string[] = []
  let excess = 0
  for (const account of new Set([...taken, ...counts].map(({ account_id }) => account_id))) {
    const isIts = ({ account_id }: Owned): boolean => account_id === account
    const stored = taken.filter(isIts).length
    const charged = counts.filter(isIts).reduce((sum, { n }) => sum + n, 0)
    if (charged < stored) broken.push(`${stored} results of ${account}, ${charged} charged`)
    else excess += Math.max(0, charged - stored - gone.deleted.filter(isIts).length)
  }
  if (excess > gone.swept) broken.push(`${excess} charges more than results, of which ${gone.swept} were swept`)
  return broken
}

/** The same in one list. */
export const findBrokenPromises = async (db: Db, allowance: Allowance = {}): Promise<string[]> =>
  Object.values(await findBroken(db, allowance)).flat()
