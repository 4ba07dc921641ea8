/** Values that calls are tried with: by type, the likeliest first. */
import { type AbiFunction, type AbiParameter, type AbiValue, elementOf } from '../evm/abi.ts'

export interface ValuePool {
  readonly addresses: readonly string[]
  readonly numbers: readonly bigint[]
  /** Words of 32 bytes that the contract itself names, such as its roles. */
  readonly words?: readonly string[]
  /** Deployed contracts of a declared type: the likeliest where a parameter names one. */
  readonly ofType?: (type: string) => readonly string[]
  /** Tokens among them: what an address is converted to is else a callback's receiver as often as not. */
  readonly tokensOfType?: (type: string) => readonly string[]
}

const limit = (bits: number): bigint => 1n << BigInt(bits)

const numbersFor = (type: string, numbers: readonly bigint[]): bigint[] => {
  const isSigned = type.startsWith('int')
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256)
  const highest = limit(isSigned ? bits - 1 : bits) - 1n
  const fitting = numbers.filter((value) => value <= highest)
  return [...new Set([...fitting, highest, limit(bits - 1) <= highest ? limit(bits - 1) : highest])]
}

const knownText = 'assay'
const hashOfText = '0x5fe79d20d50865231f6c8d0ae782aa59ad7490fb819f1277ea53a3c66bc741cd'

/** Candidates for one parameter. */
export const candidatesFor = (parameter: AbiParameter, pool: ValuePool): AbiValue[] => {
  const list = elementOf(parameter)
  if (list) {
    const items = candidatesFor(list.element, pool)
    const first = items[0] as AbiValue
    if (list.count !== null) return [Array.from({ length: list.count }, () => first)]
    return [[first], [first, items[1] ?? first], [], ...items.slice(1, 5).map((item) => [item])]
  }
  const { type } = parameter
  if (type === 'tuple') return [(parameter.components ?? []).map((part) => candidatesFor(part, pool)[0] as AbiValue)]
  if (type === 'address') {
    const named = /^contract (.+)$/.exec(parameter.internalType ?? '')?.[1]
    const declared = (named && pool.ofType?.(named)) || []
    const meant = [...declared, ...(parameter.convertedTo ?? []).flatMap((type) => pool.tokensOfType?.(type) ?? [])]
    return [...new Set([...meant, ...pool.addresses])]
  }
  if (type === 'bool') return [true, false]
  if (type === 'string') return [knownText, '']
  if (type === 'bytes') return ['0x', '0xdeadbeef']
  if (type === 'function') return [`0x${'00'.repeat(24)}`]
  if (type.startsWith('bytes')) {
    const size = Number(type.slice(5))
    // A hash is that of something: of the text that is tried where a text is wanted.
    if (size === 32) return [...(pool.words ?? []), hashOfText, `0x${'00'.repeat(31)}01`, `0x${'00'.repeat(32)}`]
    return [`0x${'00'.repeat(size - 1)}01`, `0x${'00'.repeat(size)}`]
  }
  return numbersFor(type, pool.numbers)
}

/** The likeliest arguments, then each parameter varied alone, then every number or address at once. */
export const argumentLists = (fn: AbiFunction | null, pool: ValuePool, most: number): AbiValue[][] => {
  const columns = (fn?.inputs ?? []).map((input) => candidatesFor(input, pool))
  const first = columns.map((column) => column[0] as AbiValue)
  const lists = [first]
  const deepest = Math.max(0, ...columns.map((column) => column.length))
  for (let depth = 1; depth < deepest; depth++) {
    if (columns.filter((column) => column.length > depth).length > 1)
      lists.push(columns.map((column) => (column[depth] ?? column[0]) as AbiValue))
    columns.forEach((column, index) => {
      const value = column[depth]
      if (value !== undefined) lists.push(first.map((given, place) => (place === index ? value : given)))
    })
  }
  return lists.slice(0, most)
}

/** The words of an argument list that a comparison in the contract may meet, with a way to replace each. */
export interface InputWord {
  readonly word: bigint
  /** Something that contracts calculate with. */
  readonly isNumber: boolean
  replace(value: bigint): AbiValue[] | undefined
}

const wordOf = (type: string, value: AbiValue): bigint | undefined => {
  if (typeof value === 'bigint') return BigInt.asUintN(256, value)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (type === 'address') return BigInt(value as string)
  if (/^bytes\d+$/.test(type)) return BigInt((value as string).padEnd(66, '0'))
  return undefined
}

const valueOfWord = (type: string, word: bigint): AbiValue | undefined => {
  if (type === 'address') return word < limit(160) ? `0x${word.toString(16).padStart(40, '0')}` : undefined
  if (type === 'bool') return word === 1n
  const bytes = /^bytes(\d+)$/.exec(type)
  if (bytes)
    return `0x${word
      .toString(16)
      .padStart(64, '0')
      .slice(0, 2 * Number(bytes[1]))}`
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256)
  if (type.startsWith('int')) return BigInt.asIntN(bits, word)
  return word < limit(bits) ? word : undefined
}

export const inputWords = (fn: AbiFunction | null, args: readonly AbiValue[]): InputWord[] =>
  (fn?.inputs ?? []).flatMap((input, index) => {
    const value = args[index] as AbiValue
    const list = elementOf(input)
    if (list && Array.isArray(value)) {
      return value.flatMap((item, place) =>
        wordFor(list.element.type, item, (next) =>
          args.map((given, at) => (at === index ? value.map((old, p) => (p === place ? next : old)) : given)),
        ),
      )
    }
    return wordFor(input.type, value, (next) => args.map((given, at) => (at === index ? next : given)))
  })

const wordFor = (type: string, value: AbiValue, put: (next: AbiValue) => AbiValue[]): InputWord[] => {
  const word = wordOf(type, value)
  if (word === undefined) return []
  return [
    {
      word,
      isNumber: typeof value === 'bigint',
      replace: (next) => {
        const replaced = valueOfWord(type, BigInt.asUintN(256, next))
        return replaced === undefined ? undefined : put(replaced)
      },
    },
  ]
}
