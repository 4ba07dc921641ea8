import { addSeconds, type Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Db } from '../stores/database.ts'
import { type ChallengePurpose, createLoginChallengeStore, type LoginChallengeRow } from '../stores/login-challenges.ts'

export interface ChallengeDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  randomness: Randomness
}

const TOKEN_BYTES = 32
const LIFETIME_SECONDS = 300
const TRIES = 5

/** What is requested, from whom (if that is known yet), and what an authenticator would have to sign. */
export interface Question {
  purpose: ChallengePurpose
  accountId: string | null
  passkeyChallenge: string | null
}

/** Begins something that the next request ends: the token it gives is the only way to. */
export async function beginChallenge(
  deps: ChallengeDeps,
  { purpose, accountId, passkeyChallenge }: Question,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomHex(deps.randomness, TOKEN_BYTES)
  const expiresAt = addSeconds(deps.clock.now(), LIFETIME_SECONDS)
  await createLoginChallengeStore(deps.db).add({
    token_index: deps.secrets.index('login-challenge', token),
    purpose,
    account_id: accountId,
    passkey_challenge: passkeyChallenge,
    tries_left: TRIES,
    expires_at: expiresAt.getTime(),
  })
  return { token, expiresAt }
}

export async function findChallenge(
  deps: ChallengeDeps,
  token: string,
  purpose: ChallengePurpose,
): Promise<LoginChallengeRow> {
  const indexes = deps.secrets.indexes('login-challenge', token)
  const row = await createLoginChallengeStore(deps.db).find(indexes, purpose, deps.clock.now().getTime())
  return row ?? refuse('loginExpired')
}

/** Before anything is compared, so that parallel guesses cannot outrun the limit. */
export async function spendTry({ db }: Pick<ChallengeDeps, 'db'>, { token_index }: LoginChallengeRow): Promise<void> {
  if (!(await createLoginChallengeStore(db).spendTry(token_index))) refuse('loginExpired')
}

export async function endChallenge({ db }: Pick<ChallengeDeps, 'db'>, { token_index }: LoginChallengeRow) {
  if (!(await createLoginChallengeStore(db).remove(token_index))) refuse('loginExpired')
}
