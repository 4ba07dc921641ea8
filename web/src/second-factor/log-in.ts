import type { SecondFactorDue } from '../api/client.ts'
import { call } from '../api/client.ts'
import { presentPasskey } from './passkey.ts'

/** Null: logged in. Otherwise what the account asks for beside the password. */
export async function logIn(body: { email: string; password: string }): Promise<SecondFactorDue | null> {
  const answer: object = await call('POST /api/login', { body })
  return 'challenge' in answer ? (answer as SecondFactorDue) : null
}

export async function logInWithPasskey(): Promise<void> {
  const { challenge, options } = await call('POST /api/login/passkey-options', {})
  const passkey = await presentPasskey(options)
  await call('POST /api/login/passkey', { body: { challenge, passkey } })
}

export type Proof = { code: string } | { recoveryCode: string } | 'passkey'

export async function prove({ challenge, passkeyOptions }: SecondFactorDue, proof: Proof): Promise<void> {
  const given = proof === 'passkey' ? { passkey: await presentPasskey(passkeyOptions ?? {}) } : proof
  await call('POST /api/login/second-factor', { body: { challenge, ...given } })
}
