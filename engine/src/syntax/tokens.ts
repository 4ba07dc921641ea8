/**
 * Token kinds are small integers so that the lexer can keep them in a byte array. Their order carries meaning:
 * words come first (every word may follow a dot, and any word is a name in Yul), and within the words those that
 * may serve as a name in some version of the language come before the ones that never may.
 */

export const END: number = 0
export const NAME: number = 1

// Words with a meaning in some place and version that are plain names in others.
export const ABSTRACT: number = 2
export const AS: number = 3
export const AT: number = 4
export const CALLDATA: number = 5
export const CASE: number = 6
export const CONSTRUCTOR: number = 7
export const DEFAULT: number = 8
export const EMIT: number = 9
export const ERROR: number = 10
export const FALLBACK: number = 11
export const FROM: number = 12
export const GLOBAL: number = 13
export const IMMUTABLE: number = 14
export const LAYOUT: number = 15
export const LEAVE: number = 16
export const LET: number = 17
export const OVERRIDE: number = 18
export const RECEIVE: number = 19
export const REVERT: number = 20
export const SWITCH: number = 21
export const TRANSIENT: number = 22
export const UNCHECKED: number = 23
export const UNIT: number = 24
export const VIRTUAL: number = 25
export const LAST_NAME: number = 25

// Words that are never names outside assembly.
export const ANONYMOUS: number = 30
export const ASSEMBLY: number = 31
export const BREAK: number = 32
export const CATCH: number = 33
export const CONSTANT: number = 34
export const CONTINUE: number = 35
export const CONTRACT: number = 36
export const DELETE: number = 37
export const DO: number = 38
export const ELSE: number = 39
export const ENUM: number = 40
export const EVENT: number = 41
export const EXTERNAL: number = 42
export const FALSE: number = 43
export const FOR: number = 44
export const IF: number = 45
export const IMPORT: number = 46
export const INDEXED: number = 47
export const INTERFACE: number = 48
export const INTERNAL: number = 49
export const IS: number = 50
export const LIBRARY: number = 51
export const MEMORY: number = 52
export const MODIFIER: number = 53
export const NEW: number = 54
export const PAYABLE: number = 55
export const PRAGMA: number = 56
export const PRIVATE: number = 57
export const PUBLIC: number = 58
export const PURE: number = 59
export const RETURN: number = 60
export const RETURNS: number = 61
export const STORAGE: number = 62
export const STRUCT: number = 63
export const THROW: number = 64
export const TRUE: number = 65
export const TRY: number = 66
export const TYPE: number = 67
export const USING: number = 68
export const VIEW: number = 69
export const WHILE: number = 70

// Words that begin a type.
export const ADDRESS: number = 71
export const ELEMENTARY: number = 72
export const FUNCTION: number = 73
export const MAPPING: number = 74
export const VAR: number = 75
export const LAST_WORD: number = 75

export const NUMBER: number = 80
export const HEX_NUMBER: number = 81
export const STRING: number = 82
export const HEX_STRING: number = 83
export const UNICODE_STRING: number = 84

export const LPAREN: number = 90
export const RPAREN: number = 91
export const LBRACKET: number = 92
export const RBRACKET: number = 93
export const LBRACE: number = 94
export const RBRACE: number = 95
export const SEMICOLON: number = 96
export const COMMA: number = 97
export const DOT: number = 98
export const COLON: number = 99
export const QUESTION: number = 100
/** `=>` */
export const ARROW: number = 101
/** `->` */
export const RETURN_ARROW: number = 102
/** `:=` */
export const YUL_ASSIGN: number = 103
/** `=:` */
export const STACK_ASSIGN: number = 104

export const ASSIGN: number = 110
export const ASSIGN_OR: number = 111
export const ASSIGN_XOR: number = 112
export const ASSIGN_AND: number = 113
export const ASSIGN_SHL: number = 114
export const ASSIGN_SAR: number = 115
export const ASSIGN_SHR: number = 116
export const ASSIGN_ADD: number = 117
export const ASSIGN_SUB: number = 118
export const ASSIGN_MUL: number = 119
export const ASSIGN_DIV: number = 120
export const ASSIGN_MOD: number = 121
export const LAST_ASSIGN: number = 121

export const OR: number = 130
export const AND: number = 131
export const EQ: number = 132
export const NE: number = 133
export const LT: number = 134
export const GT: number = 135
export const LE: number = 136
export const GE: number = 137
export const BIT_OR: number = 138
export const BIT_XOR: number = 139
export const BIT_AND: number = 140
export const SHL: number = 141
export const SAR: number = 142
export const SHR: number = 143
export const ADD: number = 144
export const SUB: number = 145
export const MUL: number = 146
export const DIV: number = 147
export const MOD: number = 148
export const EXP: number = 149

export const NOT: number = 155
export const BIT_NOT: number = 156
export const INC: number = 157
export const DEC: number = 158

/** A run of characters that no token begins with. */
export const UNKNOWN: number = 170

/** Binding power of binary operators; 0 for everything else. */
export const PRECEDENCE = new Uint8Array(256)
for (const [power, kinds] of [
  [1, [OR]],
  [2, [AND]],
  [3, [EQ, NE]],
  [4, [LT, GT, LE, GE]],
  [5, [BIT_OR]],
  [6, [BIT_XOR]],
  [7, [BIT_AND]],
  [8, [SHL, SAR, SHR]],
  [9, [ADD, SUB]],
  [10, [MUL, DIV, MOD]],
  [11, [EXP]],
] as const)
  for (const kind of kinds) PRECEDENCE[kind] = power

const spelled: readonly (readonly [number, string])[] = [
  [LPAREN, '('],
  [RPAREN, ')'],
  [LBRACKET, '['],
  [RBRACKET, ']'],
  [LBRACE, '{'],
  [RBRACE, '}'],
  [SEMICOLON, ';'],
  [COMMA, ','],
  [DOT, '.'],
  [COLON, ':'],
  [QUESTION, '?'],
  [ARROW, '=>'],
  [RETURN_ARROW, '->'],
  [YUL_ASSIGN, ':='],
  [STACK_ASSIGN, '=:'],
  [ASSIGN, '='],
  [ASSIGN_OR, '|='],
  [ASSIGN_XOR, '^='],
  [ASSIGN_AND, '&='],
  [ASSIGN_SHL, '<<='],
  [ASSIGN_SAR, '>>='],
  [ASSIGN_SHR, '>>>='],
  [ASSIGN_ADD, '+='],
  [ASSIGN_SUB, '-='],
  [ASSIGN_MUL, '*='],
  [ASSIGN_DIV, '/='],
  [ASSIGN_MOD, '%='],
  [OR, '||'],
  [AND, '&&'],
  [EQ, '=='],
  [NE, '!='],
  [LT, '<'],
  [GT, '>'],
  [LE, '<='],
  [GE, '>='],
  [BIT_OR, '|'],
  [BIT_XOR, '^'],
  [BIT_AND, '&'],
  [SHL, '<<'],
  [SAR, '>>'],
  [SHR, '>>>'],
  [ADD, '+'],
  [SUB, '-'],
  [MUL, '*'],
  [DIV, '/'],
  [MOD, '%'],
  [EXP, '**'],
  [NOT, '!'],
  [BIT_NOT, '~'],
  [INC, '++'],
  [DEC, '--'],
]

/** How a token without text of its own is written. */
export const SPELLING: readonly string[] = (() => {
  const table: string[] = new Array(256).fill('')
  for (const [kind, text] of spelled) table[kind] = text
  return table
})()

const words: Readonly<Record<string, number>> = {
  abstract: ABSTRACT,
  as: AS,
  at: AT,
  calldata: CALLDATA,
  case: CASE,
  constructor: CONSTRUCTOR,
  default: DEFAULT,
  emit: EMIT,
  error: ERROR,
  fallback: FALLBACK,
  from: FROM,
  global: GLOBAL,
  immutable: IMMUTABLE,
  layout: LAYOUT,
  leave: LEAVE,
  let: LET,
  override: OVERRIDE,
  receive: RECEIVE,
  revert: REVERT,
  switch: SWITCH,
  transient: TRANSIENT,
  unchecked: UNCHECKED,
  virtual: VIRTUAL,
  anonymous: ANONYMOUS,
  assembly: ASSEMBLY,
  break: BREAK,
  catch: CATCH,
  constant: CONSTANT,
  continue: CONTINUE,
  contract: CONTRACT,
  delete: DELETE,
  do: DO,
  else: ELSE,
  enum: ENUM,
  event: EVENT,
  external: EXTERNAL,
  false: FALSE,
  for: FOR,
  if: IF,
  import: IMPORT,
  indexed: INDEXED,
  interface: INTERFACE,
  internal: INTERNAL,
  is: IS,
  library: LIBRARY,
  memory: MEMORY,
  modifier: MODIFIER,
  new: NEW,
  payable: PAYABLE,
  pragma: PRAGMA,
  private: PRIVATE,
  public: PUBLIC,
  pure: PURE,
  return: RETURN,
  returns: RETURNS,
  storage: STORAGE,
  struct: STRUCT,
  throw: THROW,
  true: TRUE,
  try: TRY,
  type: TYPE,
  using: USING,
  view: VIEW,
  while: WHILE,
  address: ADDRESS,
  function: FUNCTION,
  mapping: MAPPING,
  var: VAR,
}

const units = ['wei', 'gwei', 'szabo', 'finney', 'ether', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'years']

/** Every word that is not an ordinary name, with its kind; `fixedMxN` is recognized by shape instead. */
export const WORDS: readonly (readonly [string, number])[] = (() => {
  const list: [string, number][] = Object.entries(words)
  for (const unit of units) list.push([unit, UNIT])
  for (const name of ['bool', 'string', 'bytes', 'byte', 'uint', 'int', 'fixed', 'ufixed'])
    list.push([name, ELEMENTARY])
  for (let bytes = 1; bytes <= 32; bytes++)
    list.push([`uint${bytes * 8}`, ELEMENTARY], [`int${bytes * 8}`, ELEMENTARY], [`bytes${bytes}`, ELEMENTARY])
  return list
})()
