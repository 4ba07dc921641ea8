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
  readonly text: string
  #tokens: Tokens | null = null

  constructor(file: SourceFile) {
    this.file = file
    this.text = file.text
    this.callables = callablesOf(file)
  }

  /** The region of the pragmas; those before are the declarations and the bodies. */
  get pragmas(): number {
    return this.callables.length + 1
  }

  /** Equal for two regions with the same tokens, wherever they stand and whatever lies between them. */
  sourceOf(region: number): string {
    const { starts, ends, regions } = this.#read()
    const { base } = this.file
    const tokens = regions[region]!
    const parts: string[] = []
    for (let i = 0; i < tokens.length; ) {
      const first = tokens[i]!
      let last = first
      // Tokens that touch each other are taken together.
      for (i++; i < tokens.length && tokens[i] === last + 1 && starts[last + 1] === ends[last]; i++) last++
      parts.push(this.text.slice(starts[first]! - base, ends[last]! - base))
    }
    return parts.join(' ')
  }

  placeOf(offset: number, isEnd: boolean): TokenPlace | null {
    const { starts, ends, regionOf, numberOf } = this.#read()
    const first = isEnd ? ends : starts
    const second = isEnd ? starts : ends
    let token = find(first, offset)
    const isFirst = token > 0
    if (!isFirst) token = find(second, offset)
    if (token <= 0) return null
    return [regionOf[token]!, numberOf[token]! * 2 + Number(isFirst === isEnd)]
  }

  offsetOf([region, point]: TokenPlace): number {
    const { starts, ends, regions } = this.#read()
    const token = regions[region]![point >> 1]!
    return (point & 1 ? ends : starts)[token]!
  }

  /** At the first question: of a file that is the same as before nobody asks. */
  #read(): Tokens {
    this.#tokens ??= readTokens(this)
    return this.#tokens
  }
}

interface Tokens {
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Tokens of each region. */
  readonly regions: readonly Int32Array[]
  /** Region and number in it, for each token. */
  readonly regionOf: Int32Array
  readonly numberOf: Int32Array
}

const readTokens = ({ file, text, callables, pragmas: pragmaRegion }: TokenPlaces): Tokens => {
  const lexed = lex(text, file.base)
  // The first is a sentinel, the last one the end.
  const starts = lexed.starts.subarray(0, lexed.count - 1)
  const ends = lexed.ends.subarray(0, lexed.count - 1)
  const regionOf = new Int32Array(starts.length)
  const numberOf = new Int32Array(starts.length)
  const pragmas = file.unit.members.filter(isPragma)
  const regions: number[][] = [[], ...callables.map(() => []), []]
  let at = 0
  for (let token = 1; token < starts.length; token++) {
    const start = starts[token]!
    while (at < callables.length && callables[at]!.body!.end <= ends[token]!) at++
    const body = callables[at]?.body
    const isInPragma = pragmas.some((pragma) => start >= pragma.start && start < pragma.end)
    const region = body && start > body.start ? at + 1 : isInPragma ? pragmaRegion : 0
    regionOf[token] = region
    numberOf[token] = regions[region]!.push(token) - 1
  }
  return { starts, ends, regions: regions.map((tokens) => Int32Array.from(tokens)), regionOf, numberOf }
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
