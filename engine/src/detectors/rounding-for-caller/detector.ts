import { canHold, dependsOn, isProtected, isSender } from '../../facts/index.ts'
import { type Entry, entriesOf, incomingOf, isSelf, outgoingOf } from '../../idioms/index.ts'
import { type BinaryOp, type Flow, holding, isZero, type Op, type OpOf, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** Where what the caller gives up is taken. */
  readonly op: Op
  /** What the caller gets, as they say it. */
  readonly named: Op
  readonly quotient: Quotient
}

/** `a / b`, or `mulDiv(a, b, c)` of a library that is too large to be inlined. */
type Quotient = BinaryOp | OpOf<'compute'>

const isMulDiv = (op: Op): op is OpOf<'compute'> =>
  op.kind === 'compute' && op.operator === 'mulDiv' && op.args.length === 3

/** The quotient that a value is, on some way, as it comes out: cut off, and nothing added. */
const quotientOf = (flow: Flow, value: Op): Quotient | null => {
  const op = stripCasts(value)
  if (isMulDiv(op)) return op
  if (op.kind === 'bin') return op.operator === '/' ? op : unraised(flow, op)
  if (op.kind !== 'phi' && op.kind !== 'select') return null
  const choices = (op.kind === 'select' ? choicesOf(flow, op) : op.args).map(stripCasts)
  const sums = choices.filter((choice): choice is BinaryOp => choice.kind === 'bin' && choice.operator === '+')
  const quotients = [...choices.filter(isDivision), ...sums.flatMap((sum) => unraised(flow, sum) ?? [])]
  // `remainder > 0 ? q + 1 : q`
  const isRaised = sums.some((sum) => unraised(flow, sum) === null)
  return quotients.length === 1 && !isRaised ? quotients[0]! : null
}

/** `mulDiv(a, b, c) + toUint(isUp && remainder > 0)`, where the rounding mode is written into the code and does not round up. */
const unraised = (flow: Flow, { operator, args }: BinaryOp): Quotient | null => {
  const [quotient, raise] = args.map(stripCasts) as [Op, Op]
  if (operator !== '+' || !(isMulDiv(quotient) || isDivision(quotient))) return null
  if (raise.kind === 'un') return canHold(flow, raise, true) ? null : quotient
  return raise.kind === 'select' && choicesOf(flow, raise).every(isZero) ? quotient : null
}

const isDivision = (op: Op): op is BinaryOp => op.kind === 'bin' && op.operator === '/'

/** `mulDiv(a, b, c, Rounding.Ceil)`: what is written into the code decides which of the two it is. */
const choicesOf = (flow: Flow, { args: [condition, yes, no] }: OpOf<'select'>): readonly Op[] => [
  ...(canHold(flow, condition, true) ? [yes] : []),
  ...(canHold(flow, condition, false) ? [no] : []),
]

/** `named * a / b`, where `b` is no constant: so much of one thing for what was named of another. */
const isRate = (flow: Flow, quotient: Quotient, named: Op): boolean => {
  if (quotient.kind === 'compute') {
    const [a, b, divisor] = quotient.args.map(stripCasts) as [Op, Op, Op]
    return (a === named || b === named) && isKept(flow, divisor)
  }
  const [product, divisor] = quotient.args
  const op = stripCasts(product)
  if (op.kind !== 'bin' || op.operator !== '*' || !isKept(flow, divisor)) return false
  const factors = op.args.map(stripCasts)
  return factors.includes(named)
}

/** A number that the contract keeps or asks for, not one written into the code. */
const isKept = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind !== 'const' && dependsOn(flow, op, ({ kind, call }) => kind === 'load' || call?.kind === 'external')
}

/** So much as the caller says is paid, and an entry moves by a number worked out from it. */
function* takenForLess(flow: Flow): Iterable<Candidate> {
  for (const { amount } of outgoingOf(flow)) {
    const named = stripCasts(amount)
    if (named.kind !== 'param') continue
    for (const entry of entriesOf(flow)) {
      const quotient = quotientOf(flow, entry.amount)
      if (quotient !== null && isOfPayer(entry) && isRate(flow, quotient, named))
        yield { flow, op: entry.op, named, quotient }
    }
  }
}

/** The caller's, or of an account that the caller names: what is split among pools is nobody's payment. */
const isOfPayer = ({ account }: Entry): boolean => isSender(account) || stripCasts(account).kind === 'param'

/** An entry moves by as much as the caller says, and what comes in for it is worked out from that. */
function* boughtForLess(flow: Flow): Iterable<Candidate> {
  for (const { op, amount, to } of incomingOf(flow)) {
    const quotient = quotientOf(flow, amount)
    if (quotient === null || to === null || !isSelf(to)) continue
    for (const entry of entriesOf(flow)) {
      const named = stripCasts(entry.amount)
      if (named.kind === 'param' && isRate(flow, quotient, named)) yield { flow, op, named, quotient }
    }
  }
}

export default defineDetector<Candidate>({
  id: 'rounding-for-caller',
  swc: null,
  title: 'Rounding in favor of the caller',
  aliases: { owasp: ['SC03:2025'], words: ['rounding direction', 'precision loss', 'round up'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'The caller chooses what they receive, and what they pay is computed by a division that rounds down. Small amounts cost nothing, and every call underpays by up to one unit at the cost of other users.',
  recommendation:
    'Round up what the caller pays and round down what they receive: `(a * b + c - 1) / c`, `mulDivUp`, or `mulDiv` with `Rounding.Ceil`.',
  references: ['https://eips.ethereum.org/EIPS/eip-4626#security-considerations'],
  cwe: ['CWE-682', 'CWE-1339'],

  needs: [holding.stateWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* takenForLess(flow)
      yield* boughtForLess(flow)
    }
  },
  excuses: [excuse('protected', 'only privileged accounts get there', ({ flow, op }) => isProtected(flow, op))],
  finding: ({ flow, op, named, quotient }) => ({
    // A helper that cuts off, as instructed, is not to blame.
    at: flow.inCommonCaller(quotient, op),
    message: `In \`${flow.name}()\` the caller receives \`${named.operator}\` but pays a quotient that rounds down, so the caller pays too little, and for small amounts nothing.`,
    trace: [
      ...flow.trace(op),
      { at: { start: quotient.start, end: quotient.end }, message: 'The division rounds down here.' },
      { at: op, message: 'This rounded amount is charged.' },
    ],
  }),
})
