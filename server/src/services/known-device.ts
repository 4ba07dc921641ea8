import { type Randomness, randomHex } from '../core/randomness.ts'
import { isEqualSecret, type Secrets } from '../core/secrets.ts'

const ID_BYTES = 16

/**
 * A mark that a browser keeps after a log-in and that proves nothing but "someone logged in to this account here before". Wrong
 * passwords from such a browser are counted by themselves, so that outsiders in the same network cannot lock the owner out.
 */
export function markDevice(
  { secrets, randomness }: { secrets: Secrets; randomness: Randomness },
  email: string,
): string {
  const id = randomHex(randomness, ID_BYTES)
  return `${id}.${secrets.index('device', `${email}:${id}`)}`
}

/** The device's id, if its mark was made for this address. */
export function readDevice({ secrets }: { secrets: Secrets }, email: string, mark: string | undefined) {
  const [id = '', proof = ''] = (mark ?? '').split('.')
  const matches = secrets.indexes('device', `${email}:${id}`).map((index) => isEqualSecret(index, proof))
  return matches.includes(true) ? id : undefined
}
