import { z } from 'zod'
import { defineJobKind } from '../queue/job.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import type { Client } from './caller.ts'
import { networkOf } from './network.ts'
import { type ThrottleDeps, throttleClient, throttleResends } from './throttle.ts'
import { type CodeDeps, sendCode } from './verification-codes.ts'

/** The request only queues this: whether the address is known shows nowhere in its answer or its time. */
export const resendCodeJob = defineJobKind({
  name: 'resend-code',
  // Jobs of an earlier version have no network.
  payload: z.object({ email: z.string(), network: z.string().default('') }),
  retryAfterSeconds: [1, 5, 30],
})

export interface ResendCodeDeps extends ThrottleDeps, CodeDeps {
  db: Db
}

export async function requestCode(deps: ResendCodeDeps, email: string, client: Client): Promise<void> {
  await throttleClient(deps, 'resends', client.address)
  await throttleResends(deps, email, client.address)
  await deps.queue.enqueue(deps.db, resendCodeJob, { email, network: networkOf(client.address) })
}

/**
 * Renews the newest registration of the address. One made where the request comes from goes first, so that an outsider's later
 * registration is not the one that the owner of the address confirms.
 */
export async function resendCode(
  deps: CodeDeps & { db: Db },
  { email, network }: z.infer<typeof resendCodeJob.payload>,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const registration = await createRegistrationStore(tx).findNewest(email, network)
    if (registration) await sendCode(deps, tx, registration)
  })
}
