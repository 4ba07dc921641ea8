import type { Db } from '../stores/database.ts'

export interface Allowance {
  /** Results that were stored, charged and deleted since. */
  readonly deleted?: number
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
}

export async function findBroken(db: Db, { deleted = 0, mayWait = false }: Allowance = {}): Promise<BrokenPromises> {
  const scans = await db.selectFrom('scans').select(['id', 'account_id']).execute()
  const counts = await db.selectFrom('scan_counts').select(['account_id', 'n']).execute()
  const requests = await db.selectFrom('scan_requests').select(['id', 'account_id', 'status', 'holds_place']).execute()
  const reserved = await db.selectFrom('scan_reservations').select('id').execute()
  const waiting = requests.filter(({ status }) => mayWait && status === 'queued')
  const open = requests.filter(({ status }) => status === 'running' || (status === 'queued' && !mayWait))
  const results = new Set(scans.map(({ id }) => id))
  const untrue = requests.filter(({ id, status }) => results.has(id) !== (status === 'completed'))
  const holding = waiting.filter(({ holds_place }) => holds_place === 1)
  return {
    charges: compareCharges([...scans, ...holding], counts, deleted),
    scans: [
      ...(open.length > 0 ? [`${open.length} accepted scans never ended`] : []),
      ...untrue.map(({ id, status }) => `${id} is ${status} and its result says otherwise`),
    ],
    places: reserved.length > 0 ? [`${reserved.length} places of the day are held by nobody`] : [],
  }
}

interface Owned {
  readonly account_id: string
}

function compareCharges(
  taken: readonly Owned[],
  counts: readonly (Owned & { n: number })[],
  deleted: number,
): string[] {
  const broken: string[] = []
  let excess = 0
  for (const account of new Set([...taken, ...counts].map(({ account_id }) => account_id))) {
    const stored = taken.filter(({ account_id }) => account_id === account).length
    const charged = counts.filter(({ account_id }) => account_id === account).reduce((sum, { n }) => sum + n, 0)
    if (charged < stored) broken.push(`${stored} results of ${account}, ${charged} charged`)
    else excess += charged - stored
  }
  if (excess > deleted) broken.push(`${excess} charges more than results, of which ${deleted} were deleted`)
  return broken
}

/** The same in one list. */
export const findBrokenPromises = async (db: Db, allowance: Allowance = {}): Promise<string[]> =>
  Object.values(await findBroken(db, allowance)).flat()
