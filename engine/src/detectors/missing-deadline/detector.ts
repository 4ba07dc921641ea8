import { budget, holding, type Op, stripCasts } from '../../ir/index.ts'
import { tradeShape } from '../../knowledge/index.ts'
import { type Call, type Expression, nodesOf, type Span } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

const longAgo = 1n << 64n

const isTooFar = (value: Op): boolean => stripCasts(value).kind === 'const'

/** `block.timestamp`, also plus a constant, or a time that never comes. */
const isNoDeadline = (value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'env') return op.operator === 'block.timestamp'
  if (op.kind === 'const') return op.constant !== null && op.constant > longAgo
  if (op.kind !== 'bin' || op.operator !== '+' || depth > budget.depth.deadline) return false
  return op.args.every((arg) => stripCasts(arg).kind === 'const' || isNoDeadline(arg, depth + 1))
}

const isBlockTime = (value: Expression): boolean =>
  value.kind === 'Member' &&
  value.name.name === 'timestamp' &&
  value.object.kind === 'Identifier' &&
  value.object.name === 'block'

const isNow = (value: Expression): boolean =>
  isBlockTime(value) ||
  (value.kind === 'Binary' && value.operator === '+' && isBlockTime(value.left) && value.right.kind === 'Literal')

const emptyField = ({ args }: Call): Expression | undefined => {
  const { names, values } = args
  if (
    names === null ||
    !names.some(({ name }) => name === 'amountOutMinimum' || name === 'amount0Min' || name === 'amountInMaximum')
  )
    return undefined
  return values.find((value, i) => names[i]?.name === 'deadline' && isNow(value))
}

interface Candidate {
  readonly at: Span
  /** The function that takes the deadline; null where it stands in a list of parameters. */
  readonly name: string | null
  /** A time that never comes, instead of one that is worked out at execution. */
  readonly isFar: boolean
}

export default defineDetector<Candidate>({
  id: 'missing-deadline',
  swc: null,
  title: 'Ineffective swap deadline',
  aliases: {
    aderyn: ['block-timestamp-deadline'],
    scwe: ['SCWE-141'],
    words: ['swap deadline', 'block.timestamp deadline'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'The deadline is computed from `block.timestamp` at execution, or is the largest number, so it always holds. A transaction that waited in the mempool for hours still executes, with outdated limits.',
  recommendation: 'Take the deadline as a parameter from the caller.',
  references: ['https://docs.uniswap.org/contracts/v2/reference/smart-contracts/router-02'],
  cwe: ['CWE-672'],

  needs: [holding.typedCall],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.externalCalls()) {
        const { kind, name } = op.call
        const place = kind === 'external' ? tradeShape(name, op.args.length)?.deadline : null
        const deadline = typeof place === 'number' ? op.args[place] : undefined
        if (deadline !== undefined && isNoDeadline(deadline)) yield { at: op, name, isFar: isTooFar(deadline) }
      }
  },

  *candidatesInFile({ unit }) {
    for (const call of nodesOf(unit, 'Call')) {
      const field = emptyField(call)
      if (field) yield { at: field, name: null, isFar: false }
    }
  },

  finding: ({ at, name, isFar }) => ({
    at,
    message: `${name === null ? 'This deadline' : `The deadline of \`${name}()\``} is ${isFar ? 'too far in the future to expire' : 'computed from `block.timestamp` at execution and never expires'}, so a transaction delayed in the mempool still executes later, at a price that is worse for the user.`,
  }),
})
