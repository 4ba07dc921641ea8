import { type BinaryOp, budget, type Flow, isBefore, type Op, stripCasts } from '../../ir/index.ts'

/** A comparison with the time or number of the block decides something. */
export interface Decision {
  readonly flow: Flow
  readonly op: BinaryOp
  /** The side that is computed from the block, without casts, and what it is compared with. */
  readonly time: Op
  readonly other: Op
}

const arithmetic = new Set(['+', '-', '*', '/', '%'])

/** Deep enough for what people write; phis go round in loops. */
const maxDepth = budget.depth.decision

/** Computed from the time or number of the block alone. */
export const isClock = (op: Op, depth = 0): boolean => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number'
  if (depth > maxDepth) return false
  const isSum = op.kind === 'bin' && arithmetic.has(op.operator)
  if (!isSum && op.kind !== 'phi' && op.kind !== 'select') return false
  // An amount that grows with time is no moment.
  if (op.operator === '*' && op.args.every((arg) => stripCasts(arg).kind !== 'const')) return false
  // Nor is an amount that is spread over a time.
  if (op.operator === '/') return isClock(stripCasts(op.args[0]!), depth + 1)
  return op.args.some((arg) => isBefore(arg, op) && isClock(stripCasts(arg), depth + 1))
}

/** What a function does for good. */
export const effectsOf = (flow: Flow): Op[] => [
  ...flow.stateStores(),
  ...flow.externalCalls().filter(({ call }) => !call.isStatic),
  ...flow.builtins('selfdestruct'),
]

/** More seconds than there will ever be, or the end of a type: `2**32`, `uint64(-1)`. */
export const isTypeLimit = (value: Op): boolean => {
  const { constant } = stripCasts(value)
  if (constant === null) return false
  if (constant < 0n) return true
  return constant > 1n << 40n || typeEnds.includes(constant)
}

const typeEnds = [(1n << 32n) - 1n, 1n << 32n, (1n << 40n) - 1n, 1n << 40n]

/** `block.timestamp >= 1546300800`: a moment written into the code, which whatever asks relies on. */
export const isFixedMoment = (value: Op): boolean =>
  (stripCasts(value).constant ?? 0n) > 1_000_000_000n && !isTypeLimit(value)
