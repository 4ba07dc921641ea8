/** Facts about one source text: the digests of its regions, and where its bodies are if it has no errors. */
import type { Memory } from './memory.ts'
import type { TokenPlaces } from './token-places.ts'

interface KnownText {
  readonly regions: readonly string[]
  /** null: something could not be read. */
  readonly bodies: readonly number[] | null
}

export class KnownTexts {
  readonly #memory: Memory
  readonly #digests = new Map<string, string>()
  readonly #known = new Map<string, KnownText | undefined>()

  constructor(memory: Memory) {
    this.#memory = memory
  }

  digestOf(text: string): string {
    const known = this.#digests.get(text) ?? this.#memory.digest(text)
    this.#digests.set(text, known)
    return known
  }

  bodiesOf(text: string): readonly number[] | null {
    return this.#find(text)?.bodies ?? null
  }

  /** A text that is the same is not taken apart again. */
  regionsOf(places: TokenPlaces): readonly string[] {
    const { text, file } = places
    const count = places.pragmas + 1
    const known = this.#find(text)
    if (known?.regions.length === count) return known.regions
    const regions = Array.from({ length: count }, (_, region) => this.#memory.digest(places.sourceOf(region)))
    const bodies = file.errors.length === 0 ? places.bodies : null
    this.#memory.keep(this.#keyOf(text), JSON.stringify({ regions, bodies } satisfies KnownText))
    return regions
  }

  #find(text: string): KnownText | undefined {
    if (this.#known.has(text)) return this.#known.get(text)
    const found = toKnownText(this.#memory.find(this.#keyOf(text)), text)
    this.#known.set(text, found)
    return found
  }

  #keyOf(text: string): string {
    return this.#memory.digest(`text ${this.digestOf(text)}`)
  }
}

/** undefined: this engine did not write it. */
const toKnownText = (kept: string | undefined, text: string): KnownText | undefined => {
  try {
    const { regions, bodies } = JSON.parse(kept ?? 'null') as KnownText
    const isWhole = regions.every((each) => typeof each === 'string') && (bodies === null || areBodies(bodies, text))
    return isWhole ? { regions, bodies } : undefined
  } catch {
    return undefined
  }
}

const areBodies = (bodies: readonly number[], text: string): boolean =>
  bodies.every((offset, i) => (i % 2 === 0 ? text[offset] === '{' : text[offset - 1] === '}'))
