/** What was executed, as far as attacks and oracles ask about it: one event per instruction of interest. */

export const op = {
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  EXP: 0x0a,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  EXTCODESIZE: 0x3b,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  SELFBALANCE: 0x47,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  SELFDESTRUCT: 0xff,
} as const

export const callOps: ReadonlySet<number> = new Set([op.CALL, op.CALLCODE, op.DELEGATECALL, op.STATICCALL])
export const comparisonOps: ReadonlySet<number> = new Set([op.LT, op.GT, op.SLT, op.SGT, op.EQ])
export const blockOps: ReadonlySet<number> = new Set([
  op.BLOCKHASH,
  op.COINBASE,
  op.TIMESTAMP,
  op.NUMBER,
  op.PREVRANDAO,
  op.GASLIMIT,
])

/** What a block's proposer or chance decides, apart from its time. */
export const chanceOps: ReadonlySet<number> = new Set([op.BLOCKHASH, op.COINBASE, op.PREVRANDAO])

/** Instructions that leave one word on the stack which an oracle wants to see. */
const resultOps: ReadonlySet<number> = new Set([...callOps, ...blockOps, op.SLOAD, op.ORIGIN, op.CREATE, op.CREATE2])

export interface TraceEvent {
  readonly op: number
  readonly pc: number
  readonly depth: number
  /** Whose storage and balance, in lower-case hex. */
  readonly address: string
  /** Whose code. */
  readonly code: string
  /** Topmost stack words before the instruction: for a call gas, callee, value. */
  readonly stack: readonly bigint[]
  /** What it left on the stack, where that is recorded: for a call 1 or 0. */
  result?: bigint
  /** Start of the input of a call to the signature precompile. */
  readonly input?: string
  /** Of the function that a call names, where the machine records it. */
  readonly selector?: string
}

export const leavesResult = (code: number): boolean => resultOps.has(code)

/** How many stack words of an instruction are recorded. */
export const recordedWords = (code: number): number => {
  if (code === op.CALL || code === op.CALLCODE) return 5
  if (code === op.DELEGATECALL || code === op.STATICCALL) return 4
  if (code === op.CREATE || code === op.CREATE2) return 1
  if (
    code === op.ISZERO ||
    code === op.SLOAD ||
    code === op.BLOCKHASH ||
    code === op.BALANCE ||
    code === op.EXTCODESIZE ||
    code === op.SELFDESTRUCT
  )
    return 1
  if (blockOps.has(code) || code === op.ORIGIN || code === op.SELFBALANCE || code === op.JUMP) return 0
  return 2
}

/** The callee of a call event. */
export const calleeOf = (event: TraceEvent): string =>
  `0x${BigInt.asUintN(160, event.stack[1] ?? 0n)
    .toString(16)
    .padStart(40, '0')}`
