import { z } from 'zod'
import { defineJobKind } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import { createAccountStore } from '../stores/accounts.ts'
import type { Db } from '../stores/database.ts'
import { createRetiredAccountStore } from '../stores/retired-accounts.ts'

/** As many tries as a very large account may need. */
export const removeAccountJob = defineJobKind({
  name: 'remove-account',
  payload: z.object({ accountId: z.string() }),
  retryAfterSeconds: Array.from({ length: 50 }, () => 60),
  timeoutSeconds: 300,
  concurrency: 1,
})

/** What goes in one statement, however it is requested. */
const AT_ONCE = 1000
const PIECE = 200

/**
 * In the transaction that ends the account. A small one is gone with it; of a large one everything that opens it or names its owner is, and the rest
 * goes in pieces, so that nobody waits behind it.
 */
export async function removeAccount(
  { queue }: { readonly queue: Pick<Queue, 'enqueue'> },
  tx: Db,
  accountId: string,
  atOnce = AT_ONCE,
): Promise<void> {
  const retired = createRetiredAccountStore(tx)
  if (!(await retired.isLarge(accountId, atOnce))) return createAccountStore(tx).remove(accountId)
  await retired.retire(accountId)
  await queue.enqueue(tx, removeAccountJob, { accountId }, { key: accountId })
}

/** Safe to run twice, and to stop anywhere: the account itself goes last. */
export async function removeInPieces(
  { db }: { readonly db: Db },
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  const retired = createRetiredAccountStore(db)
  while ((await retired.removePiece(accountId, PIECE)) > 0)
    if (signal?.aborted) throw new Error('The rest of the account is deleted by the next try.')
  await createAccountStore(db).remove(accountId)
}
