import {
  ADD,
  AND,
  ARROW,
  ASSIGN,
  ASSIGN_ADD,
  ASSIGN_AND,
  ASSIGN_DIV,
  ASSIGN_MOD,
  ASSIGN_MUL,
  ASSIGN_OR,
  ASSIGN_SAR,
  ASSIGN_SHL,
  ASSIGN_SHR,
  ASSIGN_SUB,
  ASSIGN_XOR,
  BIT_AND,
  BIT_NOT,
  BIT_OR,
  BIT_XOR,
  COLON,
  COMMA,
  DEC,
  DIV,
  DOT,
  ELEMENTARY,
  END,
  EQ,
  EXP,
  GE,
  GT,
  HEX_NUMBER,
  HEX_STRING,
  INC,
  LBRACE,
  LBRACKET,
  LE,
  LPAREN,
  LT,
  MOD,
  MUL,
  NAME,
  NE,
  NOT,
  NUMBER,
  OR,
  QUESTION,
  RBRACE,
  RBRACKET,
  RETURN_ARROW,
  RPAREN,
  SAR,
  SEMICOLON,
  SHL,
  SHR,
  STACK_ASSIGN,
  STRING,
  SUB,
  UNICODE_STRING,
  UNKNOWN,
  WORDS,
  YUL_ASSIGN,
} from './tokens.ts'

export interface Comment {
  readonly kind: 'line' | 'block'
  readonly start: number
  readonly end: number
}

export interface SyntaxDiagnostic {
  readonly start: number
  readonly end: number
  readonly message: string
}

/**
 * All tokens of a text as parallel arrays. Token 0 is a sentinel that ends where the text starts, so that "the end of
 * the previous token" always exists; the last one is `END`. Positions already include the base offset.
 */
export interface Tokens {
  readonly kinds: Uint8Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** For words: index into `names`. */
  readonly ids: Int32Array
  readonly names: readonly string[]
  readonly count: number
  readonly comments: Comment[]
  readonly errors: SyntaxDiagnostic[]
}

/** Past this many diagnostics a file is not worth more words. */
export const MAX_DIAGNOSTICS = 100

const OTHER = 0
const SPACE = 1
const LETTER = 2
const DIGIT = 3
const QUOTE = 4
const SINGLE = 5
const OPERATOR = 6

const CLASS = new Uint8Array(128)
const SINGLE_KIND = new Uint8Array(128)
for (const c of [9, 10, 11, 12, 13, 32]) CLASS[c] = SPACE
for (let c = 65; c <= 90; c++) CLASS[c] = CLASS[c + 32] = LETTER
CLASS[36] = CLASS[95] = LETTER
for (let c = 48; c <= 57; c++) CLASS[c] = DIGIT
CLASS[34] = CLASS[39] = QUOTE
for (const [char, kind] of [
  ['(', LPAREN],
  [')', RPAREN],
  ['[', LBRACKET],
  [']', RBRACKET],
  ['{', LBRACE],
  ['}', RBRACE],
  [';', SEMICOLON],
  [',', COMMA],
  ['?', QUESTION],
  ['~', BIT_NOT],
] as const) {
  CLASS[char.charCodeAt(0)] = SINGLE
  SINGLE_KIND[char.charCodeAt(0)] = kind
}
for (const char of '.:=|^&<>+-*/%!') CLASS[char.charCodeAt(0)] = OPERATOR

const keywords = new Map(WORDS.map(([word], id) => [word, id]))
const keywordNames = WORDS.map(([word]) => word)
const keywordKinds = WORDS.map(([, kind]) => kind)

/** The words of one text, each kept once: equal names are the same string object afterwards. */
class Vocabulary {
  readonly names = [...keywordNames]
  readonly kinds = [...keywordKinds]
  readonly #ids = new Map<string, number>()

  /** The place of a word among the names. */
  idOf(word: string): number {
    const known = keywords.get(word) ?? this.#ids.get(word)
    if (known !== undefined) return known
    const id = this.names.push(word) - 1
    this.kinds.push(isFixedPoint(word) ? ELEMENTARY : NAME)
    this.#ids.set(word, id)
    return id
  }
}

const isFixedPoint = (name: string): boolean =>
  (name.startsWith('fixed') || name.startsWith('ufixed')) && /^u?fixed\d{1,3}x\d{1,2}$/.test(name)

const isLineEnd = (c: number): boolean => c === 10 || c === 13 || c === 0x2028 || c === 0x2029

const isSpaceBeyondAscii = (c: number): boolean =>
  c === 0xa0 ||
  c === 0xfeff ||
  c === 0x2028 ||
  c === 0x2029 ||
  c === 0x85 ||
  c === 0x3000 ||
  (c >= 0x2000 && c <= 0x200a)

const isDigit = (c: number): boolean => c >= 48 && c <= 57

const isHexDigit = (c: number): boolean => isDigit(c) || ((c | 32) >= 97 && (c | 32) <= 102)

/** About as many tokens as characters of code without comments make; more are made room for on the path. */
const charactersPerToken = 6

/** Splits a text into tokens. Of `passedOver`, pairs of offsets, only the first and the last character are tokens. */
export const lex = (text: string, base: number, passedOver: readonly number[] | null = null): Tokens => {
  let passed = 0
  let capacity = Math.ceil(text.length / charactersPerToken) + 16
  let kinds = new Uint8Array(capacity)
  let starts = new Int32Array(capacity)
  let ends = new Int32Array(capacity)
  let ids = new Int32Array(capacity)
  const vocabulary = new Vocabulary()
  const wordKinds = vocabulary.kinds
  const comments: Comment[] = []
  const errors: SyntaxDiagnostic[] = []
  const length = text.length

  kinds[0] = END
  starts[0] = base
  ends[0] = base
  let count = 1
  let at = 0

  while (at < length) {
    const c = text.charCodeAt(at)
    const start = at
    let kind = UNKNOWN
    let id = 0

    switch (c < 128 ? CLASS[c]! : OTHER) {
      case SPACE:
        // Indentation is a fifth of most files: stay here for the whole run of it.
        do at++
        while (at < length && text.charCodeAt(at) === 32)
        continue

      case LETTER: {
        at++
        while (at < length) {
          const d = text.charCodeAt(at)
          if (d >= 128) break
          const group = CLASS[d]!
          if (group !== LETTER && group !== DIGIT) break
          at++
        }
        const next = at < length ? text.charCodeAt(at) : 0
        if (next === 34 || next === 39) {
          const prefix = stringPrefix(text, start, at)
          if (prefix !== 0) {
            kind = prefix
            at = endOfString(text, at, next)
            if (!isClosed(text, at, next, start + (prefix === HEX_STRING ? 3 : 7)))
              complainString(errors, base, start, at)
            break
          }
        }
        id = vocabulary.idOf(text.slice(start, at))
        kind = wordKinds[id]!
        break
      }

      case SINGLE:
        kind = SINGLE_KIND[c]!
        at++
        break

      case DIGIT:
        if (c === 48 && (text.charCodeAt(at + 1) | 32) === 120) {
          kind = HEX_NUMBER
          at += 2
          while (at < length && (isHexDigit(text.charCodeAt(at)) || text.charCodeAt(at) === 95)) at++
        } else {
          kind = NUMBER
          at = endOfNumber(text, at)
        }
        break

      case QUOTE:
        kind = STRING
        at = endOfString(text, at, c)
        if (!isClosed(text, at, c, start)) complainString(errors, base, start, at)
        break

      case OPERATOR: {
        const d = at + 1 < length ? text.charCodeAt(at + 1) : 0
        if (c === 47 && (d === 47 || d === 42)) {
          if (d === 47) {
            at += 2
            while (at < length && !isLineEnd(text.charCodeAt(at))) at++
            comments.push({ kind: 'line', start: base + start, end: base + at })
          } else {
            const close = text.indexOf('*/', at + 2)
            at = close < 0 ? length : close + 2
            comments.push({ kind: 'block', start: base + start, end: base + at })
            if (close < 0) complain(errors, base + start, base + at, 'This comment is never closed.')
          }
          continue
        }
        if (c === 46 && isDigit(d)) {
          kind = NUMBER
          at = endOfNumber(text, at)
          break
        }
        kind = operatorKind(text, at, c, d)
        at += operatorLength(kind)
        break
      }

      default:
        if (c >= 128 && isSpaceBeyondAscii(c)) {
          at++
          continue
        }
        at++
        while (at < length && isUnknown(text.charCodeAt(at))) at++
    }

    if (count + 1 >= capacity) {
      // As many as there will be if the rest is like what was read: growing step by step would copy most of them twice.
      capacity = Math.max(capacity * 2, Math.ceil((count * length * 1.05) / at))
      kinds = widen(kinds, new Uint8Array(capacity))
      starts = widen(starts, new Int32Array(capacity))
      ends = widen(ends, new Int32Array(capacity))
      ids = widen(ids, new Int32Array(capacity))
    }
    kinds[count] = kind
    starts[count] = base + start
    ends[count] = base + at
    ids[count] = id
    count++
    if (passedOver !== null && passedOver[passed] === start) {
      at = passedOver[passed + 1]! - 1
      passed += 2
    }
  }

  kinds[count] = END
  starts[count] = base + length
  ends[count] = base + length
  ids[count] = 0
  return { kinds, starts, ends, ids, names: vocabulary.names, count: count + 1, comments, errors }
}

const widen = <T extends Uint8Array | Int32Array>(from: T, to: T): T => {
  to.set(from)
  return to
}

const complain = (errors: SyntaxDiagnostic[], start: number, end: number, message: string): void => {
  if (errors.length < MAX_DIAGNOSTICS) errors.push({ start, end, message })
}

const complainString = (errors: SyntaxDiagnostic[], base: number, start: number, end: number): void =>
  complain(errors, base + start, base + end, 'This string is never closed.')

const isUnknown = (c: number): boolean => (c < 128 ? CLASS[c] === OTHER : !isSpaceBeyondAscii(c))

const stringPrefix = (text: string, start: number, end: number): number => {
  if (end - start === 3 && text.startsWith('hex', start)) return HEX_STRING
  if (end - start === 7 && text.startsWith('unicode', start)) return UNICODE_STRING
  return 0
}

/** From the opening quote to just past the closing one, or to the end of the line. */
const endOfString = (text: string, start: number, quote: number): number => {
  let at = start + 1
  while (at < text.length) {
    const c = text.charCodeAt(at)
    if (c === quote) return at + 1
    if (c === 10 || c === 13) return at
    at += c === 92 && at + 1 < text.length ? 2 : 1
  }
  return text.length
}

const isClosed = (text: string, end: number, quote: number, open: number): boolean =>
  end > open + 1 && text.charCodeAt(end - 1) === quote && !isEscaped(text, open, end - 1)

const isEscaped = (text: string, start: number, at: number): boolean => {
  let slashes = 0
  while (at - 1 - slashes > start && text.charCodeAt(at - 1 - slashes) === 92) slashes++
  return slashes % 2 === 1
}

const skipDigits = (text: string, from: number): number => {
  let at = from
  while (at < text.length && (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === 95)) at++
  return at
}

const endOfNumber = (text: string, start: number): number => {
  let at = skipDigits(text, start)
  if (text.charCodeAt(at) === 46) {
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 32
    if (isDigit(next)) at = skipDigits(text, at + 1)
    else if (next < 128 && CLASS[next] !== LETTER && next !== 46) at++
  }
  if ((text.charCodeAt(at) | 32) === 101) {
    const sign = text.charCodeAt(at + 1) === 45 ? 1 : 0
    if (isDigit(text.charCodeAt(at + 1 + sign))) at = skipDigits(text, at + 1 + sign)
  }
  return at
}

const operatorKind = (text: string, at: number, c: number, d: number): number => {
  switch (c) {
    case 46:
      return DOT
    case 58:
      return d === 61 ? YUL_ASSIGN : COLON
    case 61:
      return d === 61 ? EQ : d === 62 ? ARROW : d === 58 ? STACK_ASSIGN : ASSIGN
    case 33:
      return d === 61 ? NE : NOT
    case 43:
      return d === 43 ? INC : d === 61 ? ASSIGN_ADD : ADD
    case 45:
      return d === 45 ? DEC : d === 61 ? ASSIGN_SUB : d === 62 ? RETURN_ARROW : SUB
    case 42:
      return d === 42 ? EXP : d === 61 ? ASSIGN_MUL : MUL
    case 47:
      return d === 61 ? ASSIGN_DIV : DIV
    case 37:
      return d === 61 ? ASSIGN_MOD : MOD
    case 38:
      return d === 38 ? AND : d === 61 ? ASSIGN_AND : BIT_AND
    case 124:
      return d === 124 ? OR : d === 61 ? ASSIGN_OR : BIT_OR
    case 94:
      return d === 61 ? ASSIGN_XOR : BIT_XOR
    case 60:
      if (d === 60) return text.charCodeAt(at + 2) === 61 ? ASSIGN_SHL : SHL
      return d === 61 ? LE : LT
    default: {
      if (d === 61) return GE
      if (d !== 62) return GT
      const e = text.charCodeAt(at + 2)
      if (e === 61) return ASSIGN_SAR
      if (e !== 62) return SAR
      return text.charCodeAt(at + 3) === 61 ? ASSIGN_SHR : SHR
    }
  }
}

const OPERATOR_LENGTH = new Uint8Array(256).fill(2)
for (const kind of [DOT, COLON, ASSIGN, NOT, ADD, SUB, MUL, DIV, MOD, BIT_AND, BIT_OR, BIT_XOR, LT, GT])
  OPERATOR_LENGTH[kind] = 1
for (const kind of [ASSIGN_SHL, ASSIGN_SAR, SHR]) OPERATOR_LENGTH[kind] = 3
OPERATOR_LENGTH[ASSIGN_SHR] = 4

const operatorLength = (kind: number): number => OPERATOR_LENGTH[kind]!
