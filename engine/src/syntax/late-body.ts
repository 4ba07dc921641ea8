import type { Block } from './ast.ts'
import { Cursor } from './cursor.ts'
import type { FoundNodes } from './found-nodes.ts'
import { parseBlock } from './statements.ts'

/** A body that is known to have no errors, read at the first question about it. */
export class LateBody {
  readonly start: number
  readonly #end: number
  readonly #text: string
  readonly #base: number
  #read: { readonly block: Block; readonly found: FoundNodes } | null = null

  constructor(text: string, base: number, start: number, end: number) {
    this.#text = text
    this.#base = base
    this.start = start
    this.#end = end
  }

  get block(): Block {
    return this.#parse().block
  }

  get found(): FoundNodes {
    return this.#parse().found
  }

  #parse() {
    if (this.#read !== null) return this.#read
    const cursor = new Cursor(this.#text.slice(this.start - this.#base, this.#end - this.#base), this.start)
    const block = parseBlock(cursor)
    this.#read = { block, found: cursor.found }
    return this.#read
  }
}
