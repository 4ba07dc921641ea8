import { createHash } from 'node:crypto'
import { type Randomness, randomBase32 } from '../core/randomness.ts'
import type { Db } from '../stores/database.ts'
import { createRecoveryCodeStore } from '../stores/recovery-codes.ts'

const CODES = 10
/** Five bits each: 120 bits, which nobody guesses from a hash (OWASP ASVS 6.5.2). So no key is needed, and a new master secret voids none. */
const LETTERS = 24

/** Makes a new set in the caller's transaction; shown once, kept as hashes. */
export async function makeRecoveryCodes(tx: Db, randomness: Randomness, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => randomBase32(randomness, LETTERS))
  const hashes = codes.map((code) => hashOf(accountId, code))
  await createRecoveryCodeStore(tx).replace(accountId, hashes)
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

export const spendRecoveryCode = (db: Db, accountId: string, code: string): Promise<boolean> =>
  createRecoveryCodeStore(db).spend(accountId, hashOf(accountId, readable(code)))

/** As people type it: in capitals, with spaces or dashes, with letters that look like digits. */
const readable = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')

const hashOf = (accountId: string, code: string): string =>
  createHash('sha256').update(`${accountId}:${code}`).digest('base64url')
