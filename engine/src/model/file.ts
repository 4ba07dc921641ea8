/**
 * A file with its declarations: objects that answer on demand. Types, signatures and inherited members are worked out
 * at the first question and kept. Making them costs one pass over the members, no look into bodies.
 */
import {
  type Comment,
  firstPast,
  type ParseResult,
  type SourceUnit,
  type Span,
  type SyntaxDiagnostic,
  type UsingDirective,
} from '../syntax/index.ts'
import { Fn } from './callables.ts'
import type { CompilerVersions } from './compiler-versions.ts'
import { Contract, declare } from './contract.ts'
import type { Declaration, ImportModel } from './declaration.ts'
import { define } from './definitions.ts'
import type { FileSymbol, Symbols } from './symbols.ts'
import { Variable } from './variable.ts'

export class File implements FileSymbol {
  readonly path: string
  readonly #text: string
  #code: string | undefined
  readonly base: number
  readonly unit: SourceUnit
  readonly isStub: boolean
  readonly errors: readonly SyntaxDiagnostic[]
  readonly #parsed: Pick<ParseResult, 'comments'>
  readonly versions: CompilerVersions
  imports: readonly ImportModel[] = []
  /** Names declared in this file. */
  readonly own = new Map<string, Declaration[]>()
  /** The same plus imported ones; equal to `own` until imports are linked. */
  scope: Map<string, readonly Declaration[]> = this.own
  readonly contracts: Contract[] = []
  readonly functions: Fn[] = []
  readonly usings: UsingDirective[] = []
  /** All bodies are bound. */
  isBound = false
  readonly unnamed: Variable[] = []
  readonly hiding: Variable[] = []

  constructor(symbols: Symbols, path: string, text: string, base: number, parsed: ParseResult, isStub: boolean) {
    const { unit, errors } = parsed
    this.errors = errors
    this.#parsed = parsed
    this.path = path
    this.#text = text
    this.base = base
    this.unit = unit
    this.isStub = isStub
    this.versions = symbols.versionsOf(unit, () =>
      // Without a pragma they are guessed from the syntax.
      unit.reads.note(this.versions.stated ? this.versions : this),
    )
    for (const node of unit.members) {
      switch (node.kind) {
        case 'ContractDefinition': {
          const contract = new Contract(symbols, node, this)
          this.contracts.push(contract)
          declare(this.own, contract)
          break
        }
        case 'FunctionDefinition': {
          const fn = new Fn(symbols, node, this, null)
          this.functions.push(fn)
          declare(this.own, fn)
          break
        }
        case 'StateVariable':
          declare(this.own, new Variable(symbols, 'constant', node, this, null))
          break
        case 'UsingDirective':
          this.usings.push(node)
          break
        case 'StructDefinition':
        case 'EnumDefinition':
        case 'UserTypeDefinition':
        case 'ErrorDefinition':
        case 'EventDefinition':
          declare(this.own, define(symbols, node, this, null))
      }
    }
  }

  get text(): string {
    this.unit.reads.note(this)
    return this.#text
  }

  get comments(): readonly Comment[] {
    this.unit.reads.note(this)
    return this.#parsed.comments
  }

  get code(): string {
    this.unit.reads.note(this.unit)
    this.#code ??= this.#withoutComments()
    return this.#code
  }

  #withoutComments(): string {
    let code = ''
    let at = this.base
    for (const { start, end } of this.#parsed.comments) {
      code += this.#text.slice(at - this.base, start - this.base) + ' '.repeat(end - start)
      at = end
    }
    return code + this.#text.slice(at - this.base)
  }

  excerpt({ start, end }: Span): string {
    const { base } = this
    const { comments } = this.#parsed
    let excerpt = ''
    let at = start
    for (let i = firstPast(comments, (comment) => comment.end > start); i < comments.length; i++) {
      const comment = comments[i]!
      if (comment.start >= end) break
      excerpt += `${this.#text.slice(at - base, comment.start - base)} `
      at = comment.end
    }
    return (excerpt + this.#text.slice(at - base, end - base)).replace(/\s+/g, ' ')
  }
}
