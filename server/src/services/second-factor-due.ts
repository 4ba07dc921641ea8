import type { Config } from '../core/config.ts'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import { beginChallenge, type ChallengeDeps } from './login-challenge.ts'
import { canHavePasskeys, passkeyOptions } from './passkeys.ts'

export type FactorName = 'totp' | 'passkey' | 'recovery-code'

/** The password was right, and a second factor is due. */
export interface SecondFactorDue {
  kind: 'due'
  challenge: string
  factors: FactorName[]
  /** For `navigator.credentials.get`; null when the account has no passkey. */
  passkeyOptions: object | null
  expiresAt: Date
}

/** `undefined` for an account without a second factor: its log-in is over. */
export async function requireSecondFactor(
  deps: ChallengeDeps & { config: Pick<Config, 'publicUrl'> },
  accountId: string,
): Promise<SecondFactorDue | undefined> {
  const rows = await createSecondFactorStore(deps.db).listConfirmed(accountId)
  if (rows.length === 0) return undefined
  const passkeys = canHavePasskeys(deps.config) ? rows.filter(({ kind }) => kind === 'passkey') : []
  const options = passkeys.length > 0 ? await passkeyOptions(deps.config, passkeys) : undefined
  const question = { purpose: 'second-factor', accountId, passkeyChallenge: options?.challenge ?? null } as const
  const { token, expiresAt } = await beginChallenge(deps, question)
  const factors: FactorName[] = [
    ...(rows.some(({ kind }) => kind === 'totp') ? (['totp'] as const) : []),
    ...(options ? (['passkey'] as const) : []),
    'recovery-code',
  ]
  return { kind: 'due', challenge: token, factors, passkeyOptions: options ?? null, expiresAt }
}
