/**
 * Words without which some pass has nothing to look for in a file. The lexer notes which of them a file holds as code
 * (`SourceUnit.words`), so that the question costs nothing. At most 31: they are bits of one number.
 */
export const TELLING_WORDS = [
  'now',
  'suicide',
  'sha3',
  'keccak256',
  'blockhash',
  'gas',
  'callcode',
  'var',
  'throw',
  'origin',
  'encodeWithSignature',
  'deadline',
  'send',
  'transfer',
  'delete',
  'assembly',
  'amountOutMinimum',
  'amount0Min',
  'amount1Min',
] as const

export type TellingWord = (typeof TELLING_WORDS)[number]

/** The bit of each telling word. */
export const Word = Object.fromEntries(TELLING_WORDS.map((word, i) => [word, 1 << i])) as Readonly<
  Record<TellingWord, number>
>
