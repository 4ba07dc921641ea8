/**
 * Places of a file that survive a change of comments and of line breaks: tokens counted within the declarations of the file, or
 * within one body. A change in one body moves no place of another.
 */
import type { SourceFile } from '../model/index.ts'
import {
  type ContractMember,
  type FunctionDefinition,
  firstPast,
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

  /** Where each body begins and ends in the text, brace to brace. */
  get bodies(): readonly number[] {
    const { base } = this.file
    return this.callables.flatMap(({ bodyStart, end }) => [bodyStart! - base, end - base])
  }

  /** Equal for two regions with the same tokens, wherever they stand and whatever lies between them. */
  sourceOf(region: number): string {
    const { starts, ends, segments, count } = this.#read()
    const { base } = this.file
    const parts: string[] = []
    const add = (from: number, to: number): void => {
      for (let token = from; token < to; ) {
        const first = token
        // Tokens that touch each other are taken together.
        while (token + 1 < to && starts[token + 1] === ends[token]) token++
        parts.push(this.text.slice(starts[first]! - base, ends[token]! - base))
        token++
      }
    }
    let declared = 1
    for (const segment of segments) {
      if (region === 0) add(declared, segment.from)
      else if (segment.region === region) add(segment.from, segment.to)
      declared = segment.to
    }
    if (region === 0) add(declared, count)
    return parts.join(' ')
  }

  placeOf(offset: number, isEnd: boolean): TokenPlace | null {
    const { starts, ends, segments } = this.#read()
    const first = isEnd ? ends : starts
    const second = isEnd ? starts : ends
    let token = find(first, offset)
    const isFirst = token > 0
    if (!isFirst) token = find(second, offset)
    if (token <= 0) return null
    const [region, number] = placeIn(segments, token)
    return [region, number * 2 + Number(isFirst === isEnd)]
  }

  offsetOf([region, point]: TokenPlace): number {
    const { starts, ends, segments } = this.#read()
    return (point & 1 ? ends : starts)[tokenAt(segments, region, point >> 1)]!
  }

  /** At the first question: of a file that is the same as before nobody asks. */
  #read(): Tokens {
    this.#tokens ??= readTokens(this)
    return this.#tokens
  }
}

/** Tokens of a body or of a pragma; all others are declarations. */
interface Segment {
  readonly region: number
  readonly from: number
  readonly to: number
  /** Of its region, in segments before. */
  readonly before: number
  /** Of declarations, before it. */
  readonly declared: number
}

interface Tokens {
  /** The first is a sentinel. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly count: number
  /** In the order of the text. */
  readonly segments: readonly Segment[]
}

const readTokens = ({ file, text, callables, pragmas: pragmaRegion }: TokenPlaces): Tokens => {
  const lexed = lex(text, file.base)
  const count = lexed.count - 1
  const starts = lexed.starts.subarray(0, count)
  const ends = lexed.ends.subarray(0, count)
  const spans = [
    // Between the braces.
    ...callables.map(({ bodyStart, end }, index) => ({ region: index + 1, start: bodyStart! + 1, end: end - 1 })),
    ...file.unit.members.filter(isPragma).map(({ start, end }) => ({ region: pragmaRegion, start, end })),
  ].sort((a, b) => a.start - b.start)
  const segments: Segment[] = []
  let taken = 1
  let declared = 0
  let inPragmas = 0
  for (const { region, start, end } of spans) {
    const from = Math.max(taken, firstFrom(starts, start))
    const to = Math.max(from, firstFrom(starts, end))
    declared += from - taken
    const isPragmas = region === pragmaRegion
    segments.push({ region, from, to, before: isPragmas ? inPragmas : 0, declared })
    if (isPragmas) inPragmas += to - from
    taken = to
  }
  return { starts, ends, count, segments }
}

/** Region and number in it. */
const placeIn = (segments: readonly Segment[], token: number): readonly [region: number, number: number] => {
  const next = firstPast(segments, ({ to }) => to > token)
  const segment = segments[next]
  if (segment !== undefined && token >= segment.from) return [segment.region, segment.before + token - segment.from]
  const last = segments[next - 1]
  return [0, last === undefined ? token - 1 : last.declared + token - last.to]
}

const tokenAt = (segments: readonly Segment[], region: number, number: number): number => {
  if (region === 0) {
    const last = segments[firstPast(segments, ({ declared }) => declared > number) - 1]
    return last === undefined ? number + 1 : last.to + number - last.declared
  }
  const segment = segments.find((each) => each.region === region && number < each.before + each.to - each.from)!
  return segment.from + number - segment.before
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
    .filter(({ bodyStart }) => bodyStart !== null)

/** Index of the first value after the first that is not less. */
const firstFrom = (values: Int32Array, value: number): number => {
  let low = 1
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

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
