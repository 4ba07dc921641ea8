import type { Db } from '../stores/database.ts'
import { createDayCountStore } from '../stores/day-counts.ts'
import { createKeyUsageStore } from '../stores/key-usage.ts'
import { createRequestCountStore } from '../stores/request-counts.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'

/** Counts outlive what they counted elsewhere; of an account that is deleted nobody is left to count for. */
export async function forgetCounts(tx: Db, accountId: string, keys: readonly { readonly id: string }[]): Promise<void> {
  await createRequestCountStore(tx).removeAll(accountId)
  await createScanCountStore(tx).removeAll(accountId)
  await createKeyUsageStore(tx).removeAll(accountId)
  for (const { id } of keys) await createDayCountStore(tx, 'key').removeAll(id)
}
