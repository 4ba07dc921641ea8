const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret as an authenticator app reads it. */
export const fromBase32 = (text: string): Uint8Array => {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
