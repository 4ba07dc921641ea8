import { hash } from './hash.ts'
import { normalise } from './normalise.ts'
import type { Scope } from './scopes.ts'

/** Names a finding by rule, contract, function and the normalised text of its place, so that it survives edits elsewhere. */
export type Fingerprinter = (detector: string, scope: Scope, text: string) => string

/** Equal places of one function are told apart by their order alone. */
export const createFingerprinter = (): Fingerprinter => {
  const seen = new Map<string, number>()
  return (detector, { contract, signature }, text) => {
    const place = normalise(text)
    const fingerprint = hash(detector, '\n', contract ?? '', '\n', signature ?? '', '\n', place)
    const ordinal = seen.get(fingerprint)
    if (ordinal === undefined) {
      seen.set(fingerprint, 1)
      return fingerprint
    }
    seen.set(fingerprint, ordinal + 1)
    return hash(detector, '\n', contract ?? '', '\n', signature ?? '', '\n', place, `\n${ordinal}`)
  }
}
