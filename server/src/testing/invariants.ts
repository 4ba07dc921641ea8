import type { Db } from '../stores/database.ts'

/**
 * What does not hold of a store that nobody works on: every scan that was accepted has ended, a result is charged once and nothing else is, and no
 * place of the day is held.
 */
export async function findBrokenPromises(db: Db): Promise<string[]> {
  const broken: string[] = []
  const scans = await db.selectFrom('scans').select(['id', 'account_id']).execute()
  const counts = await db.selectFrom('scan_counts').select(['account_id', 'n']).execute()
  const accounts = new Set([...scans, ...counts].map(({ account_id }) => account_id))
  for (const account of accounts) {
    const stored = scans.filter(({ account_id }) => account_id === account).length
    const charged = counts.filter(({ account_id }) => account_id === account).reduce((sum, { n }) => sum + n, 0)
    if (stored !== charged) broken.push(`${stored} results of ${account}, ${charged} charged`)
  }
  const requests = await db.selectFrom('scan_requests').select(['id', 'status', 'holds_place']).execute()
  const open = requests.filter(({ status }) => status === 'queued' || status === 'running')
  if (open.length > 0) broken.push(`${open.length} accepted scans never ended`)
  const results = new Set(scans.map(({ id }) => id))
  for (const { id, status } of requests)
    if (results.has(id) !== (status === 'completed')) broken.push(`${id} is ${status} and its result says otherwise`)
  const reserved = await db.selectFrom('scan_reservations').select('id').execute()
  if (reserved.length > 0) broken.push(`${reserved.length} places of the day are held by nobody`)
  return broken
}
