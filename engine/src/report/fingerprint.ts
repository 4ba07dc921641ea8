import { type Hash, hash, join, toHex } from './hash.ts'
import { normalise } from './normalise.ts'
import { Tally } from './tally.ts'
import { Units } from './units.ts'

/** Used up before the next text is written into it. */
const scratch = new Units()

export const hashText = (text: string): Hash => {
  scratch.clear().addText(text)
  return hash(scratch)
}

/** Names a finding by rule, contract, function and the normalised text of its place, so that it survives edits elsewhere. */
export class Fingerprinter {
  private readonly text: string
  private readonly seen: Tally
  /** The place that was asked for last: several rules often meet at one. */
  private from = -1
  private to = -1
  private place: Hash | null = null

  /** For at most `count` findings in a text. */
  constructor(text: string, count: number) {
    this.text = text
    this.seen = new Tally(count)
  }

  /** Equal places of one function are told apart by their order alone. */
  fingerprint(rule: Hash, scope: Hash, from: number, to: number): string {
    const whole = join(join(rule, scope), this.hashOf(from, to))
    const ordinal = this.seen.count(whole)
    return toHex(ordinal === 0 ? whole : join(whole, hashText(String(ordinal))))
  }

  private hashOf(from: number, to: number): Hash {
    if (this.place === null || from !== this.from || to !== this.to) {
      normalise(scratch.clear(), this.text, from, to)
      this.from = from
      this.to = to
      this.place = hash(scratch)
    }
    return this.place
  }
}
