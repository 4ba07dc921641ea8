/**
 * Bodies of functions that are read when somebody looks into them. Of a large text little more than the heads is held at
 * once then: bodies are read for a part of the scan, and let go with it.
 */
import type { Block, Statement } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { FoundNodes } from './found-nodes.ts'
import { parseBlock } from './statements.ts'
import { ASSEMBLY, END, FUNCTION, LBRACE, NEW, RBRACE } from './tokens.ts'

/** A block whose statements are not held until they are asked for. */
export class LateBlock implements Block {
  readonly kind = 'Block'
  readonly unchecked = false
  readonly start: number
  readonly end: number
  /** Token of its opening brace. */
  readonly from: number
  /** What it holds is among the nodes that its file has noted. */
  isNoted = false
  private readonly bodies: LateBlocks
  private read: readonly Statement[] | null = null

  constructor(bodies: LateBlocks, from: number, start: number, end: number) {
    this.bodies = bodies
    this.from = from
    this.start = start
    this.end = end
  }

  get statements(): readonly Statement[] {
    this.read ??= this.bodies.read(this)
    return this.read
  }

  /** Reads it, and notes what it holds with the nodes of the file. */
  note(): void {
    if (this.read !== null) return
    this.isNoted = true
    this.read = this.bodies.read(this)
  }

  letGo(): void {
    this.read = null
    this.isNoted = false
  }
}

/** The late bodies of one text. */
export class LateBlocks {
  /** Some body has faults. What was made of this text so far is worth nothing then: it must be read at once. */
  isBroken = false
  private readonly cursor: Cursor
  /** How deep in the text they are: all in contracts, so all alike. */
  private depth = 0
  private readonly open: LateBlock[] = []
  private readonly noted: FoundNodes

  constructor(cursor: Cursor) {
    this.cursor = cursor
    this.noted = cursor.found
  }

  /**
   * Passes over the body that begins here. What others ask about a whole file (assembly, `new`, types of functions) must be
   * known from the start: a body with such words is not passed over, nor is one without an end.
   */
  skip(): LateBlock | null {
    const { cursor } = this
    const { kinds, at: from } = cursor
    let braces = 0
    for (let at = from; ; at++) {
      const kind = kinds[at]!
      if (kind === LBRACE) braces++
      else if (kind === RBRACE) {
        if (--braces > 0) continue
        const { start } = cursor
        this.depth = cursor.depth
        cursor.moveTo(at + 1)
        return new LateBlock(this, from, start, cursor.lastEnd)
      } else if (kind === END || kind === ASSEMBLY || kind === NEW || kind === FUNCTION) return null
    }
  }

  read(block: LateBlock): readonly Statement[] {
    const { cursor } = this
    this.open.push(block)
    cursor.found = block.isNoted ? this.noted : new FoundNodes()
    cursor.depth = this.depth
    cursor.panic = false
    cursor.moveTo(block.from)
    const { statements } = parseBlock(cursor)
    if (cursor.errors.length > 0 || cursor.lastEnd !== block.end) this.isBroken = true
    return statements
  }

  /** To be called after bodies were noted: later ones may have been noted first. */
  putInOrder(): void {
    this.noted.putInOrder()
  }

  letGo(): void {
    for (const block of this.open) block.letGo()
    this.open.length = 0
    this.noted.forgetBodies()
  }
}
