import { createSign, generateKeyPairSync } from 'node:crypto'

/** A certificate made on the spot for a stand-in that speaks TLS, so that no key lies in the repository. */
export function makeSelfSignedCertificate(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
  const commonName = sequence(set(sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))))
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    commonName,
    sequence(tagged(0x17, Buffer.from('200101000000Z')), tagged(0x17, Buffer.from('491231235959Z'))),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(subjectAlternativeName(name), basicConstraints)),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const header = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...header]), content])
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts)
const set = (...parts: Buffer[]): Buffer => tagged(0x31, ...parts)
const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]))
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

const subjectAlternativeName = (name: string): Buffer =>
  sequence(objectId('551d11'), tagged(0x04, sequence(tagged(0x82, Buffer.from(name)))))

const basicConstraints = sequence(
  objectId('551d13'),
  tagged(0x01, Buffer.from([0xff])),
  tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))),
)
