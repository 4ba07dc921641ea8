/**
 * Places of a file that survive a change of comments and of line breaks: tokens counted within the declarations of the file, or
 * within one body. A change in one body moves no place of another.
 */
import type { SourceFile } from '../model/index.ts'
import {
  type ContractMember,
  type FunctionDefinition,
  lex,
  type ModifierDefinition,
  type TopLevel,
} from '../syntax/index.ts'

type Callable = FunctionDefinition | ModifierDefinition

/** `[region, number]`: region 0 is the declarations, the last one the pragmas, others are bodies; an odd number is the end of a token. */
export type TokenPlace = readonly [region: number, point: number]

export class TokenPlaces {
  readonly file: SourceFile
  /** Functions and modifiers with a body, in the order of the text. */
  readonly callables: readonly Callable[]
  readonly #text: string
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** Tokens of each region. */
  readonly #regions: readonly Int32Array[]
  /** Region and number in it, for each token. */
  readonly #regionOf: Int32Array
  readonly #numberOf: Int32Array
  readonly #sources = new Map<number, string>()

  constructor(file: SourceFile) {
    this.file = file
    this.#text = file.text
    this.callables = callablesOf(file)
    const { starts, ends, count } = lex(file.text, file.base)
    // The first is a sentinel, the last one the end.
    this.#starts = starts.subarray(0, count - 1)
    this.#ends = ends.subarray(0, count - 1)
    this.#regionOf = new Int32Array(this.#starts.length)
    this.#numberOf = new Int32Array(this.#starts.length)
    const pragmas = file.unit.members.filter(isPragma)
    const pragmaRegion = this.callables.length + 1
    const regions: number[][] = [[], ...this.callables.map(() => []), []]
    let at = 0
    for (let token = 1; token < this.#starts.length; token++) {
      const start = this.#starts[token]!
      while (at < this.callables.length && this.callables[at]!.body!.end <= this.#ends[token]!) at++
      const body = this.callables[at]?.body
      const isInPragma = pragmas.some((pragma) => start >= pragma.start && start < pragma.end)
      const region = body && start > body.start ? at + 1 : isInPragma ? pragmaRegion : 0
      this.#regionOf[token] = region
      this.#numberOf[token] = regions[region]!.push(token) - 1
    }
    this.#regions = regions.map((tokens) => Int32Array.from(tokens))
  }

  /** Equal for two regions with the same tokens, wherever they stand and whatever lies between them. */
  sourceOf(region: number): string {
    const known = this.#sources.get(region)
    if (known !== undefined) return known
    const { base } = this.file
    const tokens = this.#regions[region]!
    const parts: string[] = []
    for (let i = 0; i < tokens.length; ) {
      const first = tokens[i]!
      let last = first
      // Tokens that touch each other are taken together.
      for (i++; i < tokens.length && tokens[i] === last + 1 && this.#starts[last + 1] === this.#ends[last]; i++) last++
      parts.push(this.#text.slice(this.#starts[first]! - base, this.#ends[last]! - base))
    }
    const source = parts.join(' ')
    this.#sources.set(region, source)
    return source
  }

  /** Of the declarations and bodies: what a pragma means is asked of the versions of the file. */
  get regionCount(): number {
    return this.callables.length + 1
  }

  placeOf(offset: number, isEnd: boolean): TokenPlace | null {
    const first = isEnd ? this.#ends : this.#starts
    const second = isEnd ? this.#starts : this.#ends
    let token = find(first, offset)
    const isFirst = token > 0
    if (!isFirst) token = find(second, offset)
    if (token <= 0) return null
    return [this.#regionOf[token]!, this.#numberOf[token]! * 2 + Number(isFirst === isEnd)]
  }

  offsetOf([region, point]: TokenPlace): number {
    const token = this.#regions[region]![point >> 1]!
    return (point & 1 ? this.#ends : this.#starts)[token]!
  }
}

const isPragma = (member: TopLevel): boolean => member.kind === 'PragmaDirective' && member.name === 'solidity'

const callablesOf = ({ unit }: SourceFile): Callable[] =>
  unit.members
    .flatMap((member): readonly (TopLevel | ContractMember)[] =>
      member.kind === 'ContractDefinition' ? member.members : [member],
    )
    .filter(
      (member): member is Callable => member.kind === 'FunctionDefinition' || member.kind === 'ModifierDefinition',
    )
    .filter(({ body }) => body !== null)

/** Index of a value among ascending ones after the first, or -1. */
const find = (values: Int32Array, value: number): number => {
  let low = 1
  let high = values.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = values[middle]!
    if (at === value) return middle
    if (at < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
