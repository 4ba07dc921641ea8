import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Randomness, randomHex, systemRandomness } from './randomness.ts'

/**
 * Every key of the service grows from one master secret by HKDF, one subkey for each purpose, so that a leak of one
 * use says nothing about another. Values carry the id of the secret that made them; during a rotation the previous
 * secret still opens and finds what it made.
 */
export interface Secrets {
  /** Which master secret is current: eight hex digits that say nothing about it. */
  keyId: string
  /** A keyed fingerprint for look-up and comparison, under the current secret. */
  index(purpose: string, value: string): string
  /** The fingerprint under each accepted secret, the current one first: what a look-up must try. */
  indexes(purpose: string, value: string): string[]
  /** Encrypts and binds to `context` (an owner's id, say): it opens only there. */
  seal(purpose: string, plain: string, context: string): string
  /** Throws when the text was changed, moved to another context, or made by an unknown secret. */
  open(purpose: string, sealed: string, context: string): string
  /** The same for bytes, without a detour over text. */
  sealBytes(purpose: string, plain: Uint8Array, context: string): Uint8Array
  openBytes(purpose: string, sealed: Uint8Array, context: string): Buffer
  /** Whether an accepted secret made this; false: nobody here can open it. */
  isSealedHere(sealed: string): boolean
  /** How a value starts that an accepted secret sealed, one for each: what a query can look for. */
  sealedStarts: readonly string[]
  /** Whether a value was sealed by an older secret and should be sealed anew. */
  isStale(sealed: string): boolean
}

interface MasterKey {
  id: string
  subkey(purpose: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

function createMasterKey(master: string): MasterKey {
  const derived = new Map<string, Buffer>()
  const subkey = (purpose: string): Buffer => {
    const known = derived.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', master, 'assay/v1', purpose, 32))
    derived.set(purpose, key)
    return key
  }
  return { id: subkey('key-id').toString('hex').slice(0, 8), subkey }
}

const startOf = (keyId: string): string => `v1.${keyId}.`

const fingerprint = (key: MasterKey, purpose: string, value: string): string =>
  createHmac('sha256', key.subkey(`index/${purpose}`))
    .update(value)
    .digest('base64url')

export function createSecrets(master: string, previous?: string, randomness: Randomness = systemRandomness): Secrets {
  const current = createMasterKey(master)
  const accepted = previous && previous !== master ? [current, createMasterKey(previous)] : [current]
  const encrypt = (purpose: string, plain: Uint8Array, context: string): Buffer => {
    const nonce = randomness.bytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', current.subkey(`seal/${purpose}`), nonce)
    cipher.setAAD(Buffer.from(context))
    const body = [cipher.update(plain), cipher.final()]
    return Buffer.concat([nonce, cipher.getAuthTag(), ...body])
  }
  return {
    keyId: current.id,
    index: (purpose, value) => fingerprint(current, purpose, value),
    indexes: (purpose, value) => accepted.map((key) => fingerprint(key, purpose, value)),
    seal: (purpose, plain, context) =>
      `${startOf(current.id)}${encrypt(purpose, Buffer.from(plain), context).toString('base64url')}`,
    open(purpose, sealed, context) {
      const [version, keyId, payload] = sealed.split('.')
      const key = accepted.find(({ id }) => id === keyId)
      if (version !== 'v1' || !key || !payload) throw unknownSecret()
      return decrypt(key, purpose, Buffer.from(payload, 'base64url'), context).toString()
    },
    sealBytes: (purpose, plain, context) =>
      Buffer.concat([Buffer.from(startOf(current.id)), encrypt(purpose, plain, context)]),
    openBytes(purpose, sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const key = accepted.find(({ id }) => bytes.subarray(0, startOf(id).length).toString('latin1') === startOf(id))
      if (!key) throw unknownSecret()
      return decrypt(key, purpose, bytes.subarray(startOf(key.id).length), context)
    },
    isSealedHere: (sealed) => accepted.some(({ id }) => sealed.startsWith(startOf(id))),
    sealedStarts: accepted.map(({ id }) => startOf(id)),
    isStale: (sealed) => sealed.split('.')[1] !== current.id,
  }
}

const unknownSecret = (): Error => new Error('sealed value made by an unknown master secret')

function decrypt(key: MasterKey, purpose: string, bytes: Buffer, context: string): Buffer {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key.subkey(`seal/${purpose}`), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/** Compares without telling by its time where two texts differ. */
export function isEqualSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The embedded mode's secret: made once, kept in the data folder, readable by its owner alone. */
export function obtainMasterSecret(dataDir: string, randomness: Randomness = systemRandomness): string {
  const path = join(dataDir, 'master-secret')
  if (!existsSync(path)) writeOnce(path, dataDir, randomHex(randomness, 32))
  const secret = readMasterSecret(dataDir) ?? ''
  if (secret.length < 32) throw new Error(`${path} does not hold a whole secret; restore it from a backup`)
  return secret
}

/** The secret that is there, if one is. */
export function readMasterSecret(dataDir: string): string | undefined {
  const path = join(dataDir, 'master-secret')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** Written aside and linked into place: two processes starting together agree, and a kill leaves no half file. */
function writeOnce(path: string, dataDir: string, secret: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const aside = `${path}.${process.pid}.tmp`
  writeFileSync(aside, `${secret}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
