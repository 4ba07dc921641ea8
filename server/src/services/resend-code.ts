import { z } from 'zod'
import { defineJobKind } from '../queue/job.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import { type ThrottleDeps, throttle } from './throttle.ts'
import { type CodeDeps, sendCode } from './verification-codes.ts'

/** The request only queues this: whether the address is known shows nowhere in its answer or its time. */
export const resendCodeJob = defineJobKind({
  name: 'resend-code',
  payload: z.object({ email: z.string() }),
  retryAfterSeconds: [1, 5, 30],
})

export interface ResendCodeDeps extends ThrottleDeps, CodeDeps {
  db: Db
}

/** Several people may have registered one address: its owner gets a code for each and chooses by name and time. */
const MAX_MAILS = 5

export async function requestCode(deps: ResendCodeDeps, email: string): Promise<void> {
  await throttle(deps, 'resentCodes', email)
  await deps.queue.enqueue(deps.db, resendCodeJob, { email })
}

export async function resendCodes(deps: CodeDeps & { db: Db }, { email }: { email: string }): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const account = await createAccountStore(tx).findByEmail(email)
    if (!account || account.verified_at !== null) return
    const waiting = await createRegistrationStore(tx).list(account.id, MAX_MAILS)
    for (const registration of waiting) await sendCode(deps, tx, email, registration)
  })
}
