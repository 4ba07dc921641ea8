/** Seeded damage to source text: the same seed breaks the same text in the same way on every machine. */

export type Random = () => number

/** Mulberry32: small, fast, good enough to choose places. */
export const randomFrom = (seed: number): Random => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const FRAGMENTS = [
  ...'(){}[];,.:?=+-*/%&|^~!<>"\'\\_$0\n\r\t\0\u202e\u{1f600}',
  ...['//', '/*', '*/', '=>', ':=', '=:', '->', '**', '>>>=', 'hex"', 'unicode"', '0x', '1e', '.5', '@', '#', '`'],
  ...[
    ' contract ',
    ' function ',
    ' modifier ',
    ' if ',
    ' else ',
    ' for ',
    ' try ',
    ' catch ',
    ' assembly { ',
    ' return ',
  ],
  ...[
    ' mapping( ',
    ' uint ',
    ' var ( ',
    ' emit ',
    ' new ',
    ' struct ',
    ' using ',
    ' pragma ',
    ' import ',
    ' unchecked { ',
  ],
  ...[
    ' calldata ',
    ' override( ',
    ' returns ',
    ' case ',
    ' let ',
    ' type( ',
    ' delete ',
    ' is ',
    ' constructor( ',
    ' error ',
  ],
]

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const MUTATIONS: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => cut(text, random, Math.ceil(random() * 3)),
  (text, random) => cut(text, random, Math.ceil(random() * 200)),
  (text, random) => insert(text, random, pick(random, FRAGMENTS)),
  (text, random) => insert(text, random, pick(random, FRAGMENTS).repeat(Math.ceil(random() * 300))),
  (text, random) => insert(text, random, piece(text, random)),
  (text, random) => text.slice(0, Math.floor(random() * text.length)),
  (text, random) => text.slice(Math.floor(random() * text.length)),
  (text, random) => insert(text, random, String.fromCharCode(Math.floor(random() * 0xffff))),
]

const cut = (text: string, random: Random, length: number): string => {
  const at = Math.floor(random() * text.length)
  return text.slice(0, at) + text.slice(at + length)
}

const insert = (text: string, random: Random, what: string): string => {
  const at = Math.floor(random() * (text.length + 1))
  return text.slice(0, at) + what + text.slice(at)
}

const piece = (text: string, random: Random): string => {
  const at = Math.floor(random() * text.length)
  return text.slice(at, at + Math.floor(random() * 400))
}

/** One to four kinds of damage. */
export const mutate = (text: string, random: Random): string => {
  let mutated = text
  for (let n = Math.ceil(random() * 4); n > 0; n--) mutated = pick(random, MUTATIONS)(mutated, random)
  return mutated
}
