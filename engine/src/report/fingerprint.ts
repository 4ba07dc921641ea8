import { type Hash, hash, join, toHex } from './hash.ts'
import { normalise } from './normalise.ts'

/** Names a finding by rule, contract, function and the normalized text of its place, so that it survives edits elsewhere. */
export class Fingerprinter {
  private readonly text: string
  /** How often each hash was given out. */
  private readonly counts = new Map<string, number>()
  /** The place that was requested last: several rules often meet at one. */
  private from = -1
  private to = -1
  private place: Hash | null = null

  constructor(text: string) {
    this.text = text
  }

  /** Equal places of one function are distinguished by their order alone. */
  fingerprint(rule: Hash, scope: Hash, from: number, to: number): string {
    const first = join(join(rule, scope), this.hashOf(from, to))
    const key = toHex(first)
    const ordinal = this.counts.get(key) ?? 0
    this.counts.set(key, ordinal + 1)
    return ordinal === 0 ? key : toHex(join(first, hash(String(ordinal))))
  }

  private hashOf(from: number, to: number): Hash {
    if (this.place === null || from !== this.from || to !== this.to) {
      this.from = from
      this.to = to
      this.place = hash(normalise(this.text, from, to))
    }
    return this.place
  }
}
