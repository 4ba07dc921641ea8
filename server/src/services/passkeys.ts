import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { transaction } from '../stores/database.ts'
import { createSecondFactorStore, type SecondFactorRow } from '../stores/second-factors.ts'
import type { Client } from './caller.ts'
import { confirmPassword } from './confirm-password.ts'
import { beginChallenge, endChallenge, findChallenge, spendTry } from './login-challenge.ts'
import {
  type Added,
  type Ending,
  newFactor,
  noteAdded,
  refuseTooManyFactors,
  type SecondFactorDeps,
} from './second-factors.ts'

type SiteConfig = Pick<Config, 'publicUrl'>

const TIMEOUT_MS = 300_000

/** The library and what it stands on are needed by few requests; loading them would slow every start. */
const library = () => import('@simplewebauthn/server')

const hostOf = ({ publicUrl }: SiteConfig): string => new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')

/** Browsers bind a passkey to a host name; an address is none. */
export const canHavePasskeys = (config: SiteConfig): boolean => isIP(hostOf(config)) === 0

/** What an authenticator's answer must have been made for. */
const expected = (config: SiteConfig) => ({
  expectedOrigin: new URL(config.publicUrl).origin,
  expectedRPID: hostOf(config),
})

export interface PasskeyQuestion {
  /** To be sent back with the authenticator's answer. */
  challenge: string
  /** For `navigator.credentials`, in the JSON form of WebAuthn. */
  options: object
  expiresAt: Date
}

export async function startPasskeyEnrolment(
  deps: SecondFactorDeps,
  accountId: string,
  password: string,
  client: Client,
): Promise<PasskeyQuestion> {
  if (!canHavePasskeys(deps.config)) return refuse('passkeysUnavailable')
  const account = await confirmPassword(deps, accountId, password, client)
  await refuseTooManyFactors(deps, accountId)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Assay',
    rpID: hostOf(deps.config),
    userName: account.email,
    userDisplayName: account.name,
    userID: new TextEncoder().encode(account.id),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: (await listPasskeys(deps, accountId)).map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const question = { purpose: 'passkey-enrolment', accountId, passkeyChallenge: options.challenge } as const
  const { token, expiresAt } = await beginChallenge(deps, question)
  return { challenge: token, options, expiresAt }
}

export async function enrolPasskey(
  deps: SecondFactorDeps,
  accountId: string,
  { challenge, name, response, ending }: { challenge: string; name: string; response: object; ending: Ending },
  client: Client,
): Promise<Added & { id: string }> {
  const challengeRow = await findChallenge(deps, challenge, 'passkey-enrolment')
  if (challengeRow.account_id !== accountId) return refuse('loginExpired')
  await spendTry(deps, challengeRow)
  const credential = await readNewCredential(deps.config, challengeRow.passkey_challenge ?? '', response)
  if (!credential) return refuse('passkeyUnusable')
  const id = newId('factor', deps.randomness)
  const now = deps.clock.now().getTime()
  const row: SecondFactorRow = {
    ...newFactor(deps, { id, accountId, kind: 'passkey', name }),
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    transports: (credential.transports ?? []).join(),
    last_count: credential.counter,
    confirmed_at: now,
  }
  return transaction(deps.db, async (tx) => {
    await createAccountStore(tx).lock(accountId)
    await endChallenge({ db: tx }, challengeRow)
    await refuseTooManyFactors({ db: tx }, accountId)
    if (!(await createSecondFactorStore(tx).add(row))) return refuse('passkeyKnown')
    return { id, ...(await noteAdded({ ...deps, db: tx }, accountId, row, client, ending)) }
  })
}

async function readNewCredential(config: SiteConfig, challenge: string, response: object) {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      ...expected(config),
      requireUserVerification: false,
    })
    return verified ? registrationInfo.credential : undefined
  } catch {
    // The library throws for whatever is not as it should be; why is nothing that an outsider needs to know.
    return undefined
  }
}

/** `credentials` undefined: any passkey of this site, and the authenticator must make sure of its owner. */
export async function passkeyOptions(config: SiteConfig, credentials: readonly SecondFactorRow[] | undefined) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: hostOf(config),
    timeout: TIMEOUT_MS,
    userVerification: credentials ? 'preferred' : 'required',
    ...(credentials && { allowCredentials: credentials.map(describeCredential) }),
  })
}

/** The authenticator's count, if it signed the challenge; zero from those that do not count. */
export async function checkPasskey(
  config: SiteConfig,
  row: SecondFactorRow,
  { challenge, response, isAlone }: { challenge: string; response: object; isAlone: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      ...expected(config),
      credential: {
        id: row.credential_id ?? '',
        publicKey: new Uint8Array(Buffer.from(row.public_key ?? '', 'base64url')),
        counter: row.last_count,
      },
      requireUserVerification: isAlone,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

const listPasskeys = async ({ db }: Pick<SecondFactorDeps, 'db'>, accountId: string): Promise<SecondFactorRow[]> =>
  (await createSecondFactorStore(db).listConfirmed(accountId)).filter(({ kind }) => kind === 'passkey')

const describeCredential = (row: SecondFactorRow) => ({
  id: row.credential_id ?? '',
  transports: row.transports.split(',').filter(Boolean),
})
