import type { Identifier, Path, Statement } from './ast.ts'
import { BodyReads } from './body-reads.ts'
import { FoundNodes } from './found-nodes.ts'
import { lex, MAX_DIAGNOSTICS, type SyntaxDiagnostic, type Tokens } from './lexer.ts'
import {
  COMMA,
  CONTRACT,
  DOT,
  END,
  INTERFACE,
  LAST_NAME,
  LAST_WORD,
  LBRACE,
  LBRACKET,
  LIBRARY,
  LPAREN,
  NAME,
  RBRACE,
  RBRACKET,
  RPAREN,
  SEMICOLON,
  SPELLING,
} from './tokens.ts'

/** Deeper constructs become error nodes: far above what people write, far below what would break the stack. */
const MAX_DEPTH = 256

/**
 * Where the parser stands. Nothing here throws: a mismatch is noted once by `fail`, after which the cursor is in panic
 * and stays silent until a recovery point (bracket, statement, member) has skipped to firm ground.
 */
export class Cursor {
  readonly text: string
  readonly base: number
  readonly tokens: Tokens
  readonly kinds: Uint8Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly ids: Int32Array
  readonly names: readonly string[]
  readonly errors: SyntaxDiagnostic[]
  found = new FoundNodes()
  readonly reads = new BodyReads()
  /** Statements of the blocks that are open: a list of their own would grow again for each, and keep room that it never needs. */
  private readonly openStatements: Statement[] = []
  heldStatements = 0
  at = 1
  kind: number
  depth = 0
  panic = false
  /** Bodies that are passed over, to be read when someone needs them; null: all are read at once. */
  readonly lateBodies: { readonly start: number; readonly found: FoundNodes }[] | null

  constructor(text: string, base: number, bodies: readonly number[] | null = null) {
    const tokens = lex(text, base, bodies)
    this.lateBodies = bodies === null ? null : []
    this.text = text
    this.base = base
    this.tokens = tokens
    this.kinds = tokens.kinds
    this.starts = tokens.starts
    this.ends = tokens.ends
    this.ids = tokens.ids
    this.names = tokens.names
    this.errors = tokens.errors
    this.kind = tokens.kinds[1]!
  }

  get start(): number {
    return this.starts[this.at]!
  }

  /** Where the last consumed token ended. */
  get lastEnd(): number {
    return this.ends[this.at - 1]!
  }

  peek(distance: number): number {
    const at = this.at + distance
    return at < this.tokens.count ? this.kinds[at]! : END
  }

  next(): void {
    if (this.kind !== END) this.kind = this.kinds[++this.at]!
  }

  accept(kind: number): boolean {
    if (this.kind !== kind) return false
    this.kind = this.kinds[++this.at]!
    return true
  }

  expect(kind: number): boolean {
    if (this.accept(kind)) return true
    this.fail(`Expected \`${SPELLING[kind]}\``)
    return false
  }

  /** The semicolon after a statement or member: firm ground, whatever went wrong before it. */
  expectEnd(): void {
    if (this.expect(SEMICOLON)) this.panic = false
  }

  /** The text of the current token. */
  get word(): string {
    return this.kind <= LAST_WORD && this.kind !== END
      ? this.names[this.ids[this.at]!]!
      : this.text.slice(this.starts[this.at]! - this.base, this.ends[this.at]! - this.base)
  }

  get isName(): boolean {
    return this.kind <= LAST_NAME && this.kind >= NAME
  }

  fail(expected: string): void {
    if (this.panic) return
    this.panic = true
    if (this.errors.length >= MAX_DIAGNOSTICS) return
    const found = this.kind === END ? 'the end of the file' : `\`${this.shortWord()}\``
    this.errors.push({
      start: this.start,
      end: this.ends[this.at]!,
      message: `${expected} but found ${found}.`,
    })
  }

  private shortWord(): string {
    const word = this.word
    return word.length > 40 ? `${word.slice(0, 40)}…` : word
  }

  /** Enters one level of nesting; false when there are too many already (nothing is entered then). */
  enter(): boolean {
    if (this.depth < MAX_DEPTH) {
      this.depth++
      return true
    }
    if (!this.panic && this.errors.length < MAX_DIAGNOSTICS)
      this.errors.push({
        start: this.start,
        end: this.ends[this.at]!,
        message: 'This is nested too deeply to be read.',
      })
    return false
  }

  identifier(): Identifier {
    if (this.kind <= LAST_NAME && this.kind >= NAME) return this.takeWord()
    this.fail('Expected a name')
    return { kind: 'Identifier', start: this.lastEnd, end: this.lastEnd, name: '', meaning: undefined }
  }

  /** A name where any word will do: after a dot, in Yul, as an option. */
  wordIdentifier(): Identifier {
    if (this.kind <= LAST_WORD && this.kind >= NAME) return this.takeWord()
    this.fail('Expected a name')
    return { kind: 'Identifier', start: this.lastEnd, end: this.lastEnd, name: '', meaning: undefined }
  }

  private takeWord(): Identifier {
    const at = this.at
    this.kind = this.kinds[at + 1]!
    this.at = at + 1
    const id = this.ids[at]!
    const word: Identifier = {
      kind: 'Identifier',
      start: this.starts[at]!,
      end: this.ends[at]!,
      name: this.names[id]!,
      meaning: undefined,
    }
    if (word.name === 'now') this.found.now.push(word)
    return word
  }

  holdStatement(statement: Statement): void {
    this.openStatements[this.heldStatements++] = statement
  }

  /** What was heldStatements up since, as a list with room for just that. */
  takePile(from: number): Statement[] {
    const taken = this.openStatements.slice(from, this.heldStatements)
    this.heldStatements = from
    return taken
  }

  path(): Path {
    const first = this.identifier()
    const names = [first]
    while (this.kind === DOT) {
      this.next()
      names.push(this.wordIdentifier())
    }
    return { kind: 'Path', start: first.start, end: this.lastEnd, names }
  }

  /**
   * Takes a closing bracket. When it is not there, skips to it, but never past the statement: the brackets around a
   * broken list are the firmest ground nearby.
   */
  close(kind: number): void {
    if (this.accept(kind)) {
      this.panic = false
      return
    }
    this.fail(`Expected \`${SPELLING[kind]}\``)
    this.skipUntil(kind)
    if (this.accept(kind)) this.panic = false
  }

  private skipUntil(close: number): void {
    let depth = 0
    for (;;) {
      const kind = this.kind
      if (kind === END || kind === SEMICOLON || kind === LBRACE || kind === RBRACE) return
      if (depth === 0 && kind === close) return
      if (kind === LPAREN || kind === LBRACKET) depth++
      else if ((kind === RPAREN || kind === RBRACKET) && depth > 0) depth--
      this.next()
    }
  }

  /** Skips what would have been one element of a list. */
  skipElement(): void {
    let depth = 0
    for (;;) {
      const kind = this.kind
      if (kind === END || kind === SEMICOLON) return
      if (kind === LPAREN || kind === LBRACKET || kind === LBRACE) depth++
      else if (kind === RPAREN || kind === RBRACKET || kind === RBRACE) {
        if (depth === 0) return
        depth--
      } else if (kind === COMMA && depth === 0) return
      this.next()
    }
  }

  /** Skips one statement or block without looking into it. */
  skipStatement(): void {
    let braces = 0
    for (;;) {
      const kind = this.kind
      if (kind === END) return
      if (kind === LBRACE) braces++
      else if (kind === RBRACE) {
        if (braces === 0) return
        braces--
        if (braces === 0) {
          this.next()
          return
        }
      } else if (kind === SEMICOLON && braces === 0) {
        this.next()
        return
      }
      this.next()
    }
  }

  /** Past the bracket that closes the current one; stops early where a new contract begins. */
  skipBalanced(): void {
    let depth = 0
    for (;;) {
      const kind = this.kind
      if (kind === END) return
      if (kind === LPAREN || kind === LBRACKET || kind === LBRACE) depth++
      else if (kind === RPAREN || kind === RBRACKET || kind === RBRACE) depth--
      else if (this.atContract()) return
      this.next()
      if (depth <= 0) return
    }
  }

  atContract(): boolean {
    const kind = this.kind
    return (kind === CONTRACT || kind === LIBRARY || kind === INTERFACE) && isNameKind(this.peek(1))
  }
}

export const isNameKind = (kind: number): boolean => kind >= NAME && kind <= LAST_NAME

/** One empty list for all nodes that have none: nobody may write to it. */
export const NONE: readonly never[] = []
