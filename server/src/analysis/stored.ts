import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Fast over small: text of this kind shrinks to a fifth at any level, and every scan pays for this. */
const LEVEL = 1

/** How sources and results rest in the database. */
export const pack = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes, { level: LEVEL })

export const unpack = (packed: Uint8Array): Buffer => inflateRawSync(packed)
