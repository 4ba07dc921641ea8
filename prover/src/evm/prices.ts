/**
 * What things cost here, in instructions of about a microsecond each. Gas prices them by what they cost natively; in JavaScript an
 * elliptic curve is a thousand times as slow, and a round of BLAKE2 costs one gas. Measured; rounded up.
 */
const perGas: Readonly<Record<number, number>> = {
  1: 1.5, // ecrecover
  2: 0.15, // sha256
  3: 0.03, // ripemd160
  4: 0.01, // identity
  5: 0.07, // modexp
  6: 1.5, // ecadd
  7: 2, // ecmul
  8: 0.6, // ecpairing
  9: 0.9, // blake2f
}

/** Of the precompile with this address, in hex; one that is not known is dear. */
export const instructionsPerGas = (address: string): number => perGas[Number(`0x${address.replace(/^0x/, '')}`)] ?? 2

const bytesPerInstruction = 20n

/** Of a hash over so many bytes, which gas bounds. */
export const instructionsPerHash = (bytes: bigint): number =>
  bytes > 10_000_000n ? 1 : 5 + Number(bytes / bytesPerInstruction)
