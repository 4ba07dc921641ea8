/** Which instructions are the arithmetic that someone wrote, and what range its type has. */
import { op } from '../evm/trace.ts'
import type { CompiledContract, CompiledSource } from './compilation.ts'
import { nodesOf } from './compile.ts'
import { rangesByPc } from './source-map.ts'

export interface ArithmeticType {
  readonly bits: number
  readonly isSigned: boolean
}

const instructionOf: Record<string, number> = {
  '+': op.ADD,
  '+=': op.ADD,
  '++': op.ADD,
  '-': op.SUB,
  '-=': op.SUB,
  '--': op.SUB,
  '*': op.MUL,
  '*=': op.MUL,
  '**': op.EXP,
}

const typeOf = (text: string | null | undefined): ArithmeticType | undefined => {
  const match = /^(u?)int(\d*)$/.exec(text ?? '')
  return match ? { bits: Number(match[2] || 256), isSigned: match[1] === '' } : undefined
}

/** By place in the bytecode: the instruction that an operator became, and its type. */
export const arithmeticByPc = (
  contract: CompiledContract,
  sources: readonly CompiledSource[],
): Map<number, ArithmeticType & { readonly instruction: number }> => {
  const bySource = new Map<string, ArithmeticType & { readonly instruction: number }>()
  for (const { ast } of sources) {
    for (const { operator, src, typeDescriptions } of nodesOf(ast)) {
      const instruction = operator ? instructionOf[operator] : undefined
      const type = typeOf(typeDescriptions?.typeString)
      if (instruction !== undefined && type) bySource.set(src, { ...type, instruction })
    }
  }
  const result = new Map<number, ArithmeticType & { readonly instruction: number }>()
  for (const [pc, { start, end, file }] of rangesByPc(contract)) {
    const found = bySource.get(`${start}:${end - start}:${file}`)
    if (found) result.set(pc, found)
  }
  return result
}

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)

/** Whether the true result lies outside the type: `a` is the topmost word. */
export const wraps = (instruction: number, a: bigint, b: bigint, { bits, isSigned }: ArithmeticType): boolean => {
  const [x, y] = isSigned ? [signed(a), signed(b)] : [a, b]
  const result = exactResult(instruction, x, y)
  if (result === undefined) return true
  const low = isSigned ? -(1n << BigInt(bits - 1)) : 0n
  const high = isSigned ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n
  return result < low || result > high
}

const exactResult = (instruction: number, x: bigint, y: bigint): bigint | undefined => {
  if (instruction === op.ADD) return x + y
  if (instruction === op.SUB) return x - y
  if (instruction === op.MUL) return x * y
  if (y <= 512n) return x ** y
  // Larger than any type, and not worth computing, unless the base never grows.
  return x >= -1n && x <= 1n ? x ** (2n + (y % 2n)) : undefined
}
