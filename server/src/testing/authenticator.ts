import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A security key in software: makes passkeys and signs challenges the way a browser and its authenticator do together. */
export interface Authenticator {
  /** Answers `navigator.credentials.create`. */
  create(options: CreationOptions): object
  /** Answers `navigator.credentials.get`; `count` is what the authenticator says of how often it was used. */
  get(options: RequestOptions, changes?: { origin?: string; isVerified?: boolean; count?: number }): object
}

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let used = 0

  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const head = (rpId: string, flags: number, count: number): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter])
  }
  /** A COSE key: elliptic curve, ES256, P-256, x, y. */
  const coseKey = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])

  return {
    create({ challenge, rp }) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        head(rp.id ?? '', USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, 0),
        Buffer.alloc(16),
        length,
        credentialId,
        cbor(coseKey),
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get({ challenge, rpId = '' }, { origin: from = origin, isVerified = true, count = ++used } = {}) {
      const authData = head(rpId, USER_PRESENT | (isVerified ? USER_VERIFIED : 0), count)
      const data = clientData('webauthn.get', challenge, from)
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** RFC 8949, as much of it as an authenticator needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)])])
}

function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
