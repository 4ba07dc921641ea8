/** Numbers of the text as exact integers, and the arithmetic of the compiler on them. */
import type { Expression } from '../../syntax/index.ts'

const small: bigint[] = []
for (let i = 0; i <= 256; i++) small.push(BigInt(i))

/** Making an integer again costs more than most of what is done with it. */
export const smallNumber = (value: number): bigint => (value >= 0 && value <= 256 ? small[value]! : BigInt(value))

const units = new Map<string, bigint>([
  ['wei', 1n],
  ['gwei', 10n ** 9n],
  ['szabo', 10n ** 12n],
  ['finney', 10n ** 15n],
  ['ether', 10n ** 18n],
  ['seconds', 1n],
  ['minutes', 60n],
  ['hours', 3600n],
  ['days', 86_400n],
  ['weeks', 604_800n],
  ['years', 31_536_000n],
])

const maxDigits = 80
/** Up to here a number is exact in floating point. */
const maxExactDigits = 15

/** A number written without point, exponent and underscores; null for all others. */
export const plainNumber = (text: string, isHex: boolean, unit: string | null): bigint | null => {
  if (text.length >= maxDigits) return null
  const value = decimalDigits(text)
  if (value !== null) {
    if (unit === null) return value
    const scale = units.get(unit)
    return scale === undefined ? null : value * scale
  }
  return isHex && unit === null && !text.includes('_') ? BigInt(text) : null
}

const decimalDigits = (text: string): bigint | null => {
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return null
    value = value * 10 + digit
  }
  if (text.length === 0) return null
  return text.length <= maxExactDigits ? smallNumber(value) : BigInt(text)
}

/** Made of literals alone: its value is exact whatever its size. */
export const isLiteralExpression = (e: Expression): boolean => {
  switch (e.kind) {
    case 'Literal':
      return e.literalKind === 'number' || e.literalKind === 'hexNumber'
    case 'Unary':
      return e.operator === '-' && isLiteralExpression(e.operand)
    case 'Tuple':
      return e.elements.length === 1 && e.elements[0] !== null && isLiteralExpression(e.elements[0]!)
    case 'Binary':
      return e.left.kind === 'Literal' && isLiteralExpression(e.left) && isLiteralExpression(e.right)
    default:
      return false
  }
}
