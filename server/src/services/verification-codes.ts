import { addSeconds, type Clock } from '../core/clock.ts'
import { type Randomness, randomDigits } from '../core/randomness.ts'
import { isEqualSecret, type Secrets } from '../core/secrets.ts'
import type { Db } from '../stores/database.ts'
import { createRegistrationStore, type RegistrationRow } from '../stores/registrations.ts'
import { type MailDeps, queueMail } from './mail.ts'

export interface CodeDeps extends MailDeps {
  clock: Clock
  secrets: Secrets
  randomness: Randomness
}

const DIGITS = 6
const MINUTES = 10
const TRIES = 5

/** Gives a registration a new code, which voids the old one, and queues the mail that carries it. */
export async function sendCode(
  deps: CodeDeps,
  tx: Db,
  registration: Pick<RegistrationRow, 'id' | 'email' | 'name' | 'created_at'>,
): Promise<void> {
  const code = randomDigits(deps.randomness, DIGITS)
  const expiresAt = addSeconds(deps.clock.now(), MINUTES * 60)
  await createRegistrationStore(tx).setCode(registration.id, {
    hash: deps.secrets.index('code', `${registration.id}:${code}`),
    expiresAt: expiresAt.getTime(),
    tries: TRIES,
  })
  const requestedAt = new Date(registration.created_at)
  const facts = { code, accountName: registration.name, requestedAt, minutes: MINUTES }
  await queueMail(deps, tx, registration.email, 'code', facts)
}

/** Whether the code is the one of this registration. */
export function isCodeOf({ secrets }: Pick<CodeDeps, 'secrets'>, registration: RegistrationRow, code: string): boolean {
  const stored = registration.code_hash ?? ''
  // Every comparison is made, so that time does not tell which one matched.
  const matches = secrets.indexes('code', `${registration.id}:${code}`).map((index) => isEqualSecret(index, stored))
  return matches.includes(true)
}
