import { type Hash, hash, join, toHex } from './hash.ts'
import { normalise } from './normalise.ts'
import type { Scope } from './scopes.ts'

/** Names a finding by rule, contract, function and the normalised text of its place, so that it survives edits elsewhere. */
export type Fingerprinter = (detector: string, scope: Scope, text: string, from: number, to: number) => string

/** Hashes of rule names: few, and asked for again in every scan. */
const rules = new Map<string, Hash>()

const ruleHash = (detector: string): Hash => {
  let known = rules.get(detector)
  if (known === undefined) {
    known = hash(detector)
    rules.set(detector, known)
  }
  return known
}

const scopeHash = (scope: Scope): Hash => {
  scope.hash ??= hash(`${scope.contract ?? ''}\n${scope.signature ?? ''}`)
  return scope.hash
}

/** Equal places of one function are told apart by their order alone. */
export const createFingerprinter = (): Fingerprinter => {
  const seen = new Map<number, number>()
  return (detector, scope, text, from, to) => {
    const whole = join(join(ruleHash(detector), scopeHash(scope)), hash(normalise(text, from, to)))
    // As many bits as a number holds exactly.
    const key = (whole.a >>> 0) * 0x100000 + (whole.b >>> 12)
    const ordinal = seen.get(key)
    seen.set(key, (ordinal ?? 0) + 1)
    return toHex(ordinal === undefined ? whole : join(whole, hash(String(ordinal))))
  }
}
