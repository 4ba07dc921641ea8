import { canHold, dependsOn, factsOnPath, intervalOf, isProtected, isSender } from '../../facts/index.ts'
import { type Entry, entriesOf, incomingOf, isSelf, outgoingOf } from '../../idioms/index.ts'
import {
  addendsOf,
  type BinaryOp,
  type Flow,
  isComparison,
  isOne,
  isZero,
  type Op,
  type OpOf,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** Where the quotient is charged, credited or answered. */
  readonly op: Op
  /** The amount that the caller names. */
  readonly named: Op
  readonly quotient: Quotient
  readonly side: Side
}

/** What the quotient is: a price that is cut off, a credit that is rounded up, or the preview of such a price. */
type Side = 'charge' | 'credit' | 'preview'

/** `a / b`, or `mulDiv(a, b, c)` of a library that is too large to be inlined. */
type Quotient = BinaryOp | OpOf<'compute'>

const isMulDiv = (op: Op): op is OpOf<'compute'> =>
  op.kind === 'compute' && op.operator === 'mulDiv' && op.args.length === 3

/** The quotient that a value is, on some way, as it comes out: cut off, and nothing added. */
const quotientOf = (flow: Flow, value: Op): Quotient | null => {
  const op = stripCasts(value)
  if (isMulDiv(op)) return op
  if (op.kind === 'bin') return isDivision(op) ? op : unraised(flow, op)
  if (op.kind !== 'phi' && op.kind !== 'select') return null
  const choices = (op.kind === 'select' ? choicesOf(flow, op) : op.args).map(stripCasts)
  const sums = choices.filter((choice): choice is BinaryOp => choice.kind === 'bin' && choice.operator === '+')
  const quotients = [...choices.filter(isDivision), ...sums.flatMap((sum) => unraised(flow, sum) ?? [])]
  // `remainder > 0 ? q + 1 : q`
  const isRaised =
    choices.some((choice) => raisedQuotientIn(flow, choice) !== null) ||
    sums.some((sum) => unraised(flow, sum) === null)
  return quotients.length === 1 && !isRaised ? quotients[0]! : null
}

/** `mulDiv(a, b, c) + toUint(isUp && remainder > 0)`, where the rounding mode is written into the code and does not round up. */
const unraised = (flow: Flow, { operator, args }: BinaryOp): Quotient | null => {
  const [quotient, raise] = args.map(stripCasts) as [Op, Op]
  if (operator !== '+' || !(isMulDiv(quotient) || isDivision(quotient))) return null
  if (raise.kind === 'un') return canHold(flow, raise, true) ? null : quotient
  return raise.kind === 'select' && choicesOf(flow, raise).every(isZero) ? quotient : null
}

const isDivision = (op: Op): op is BinaryOp => op.kind === 'bin' && op.operator === '/' && roundedProduct(op) === null

/** `mulDiv(a, b, c, Rounding.Ceil)`: what is written into the code decides which of the two it is. */
const choicesOf = (flow: Flow, { args: [condition, yes, no] }: OpOf<'select'>): readonly Op[] => [
  ...(canHold(flow, condition, true) ? [yes] : []),
  ...(canHold(flow, condition, false) ? [no] : []),
]

/** The quotient that a value is, on some way, rounded up: `(a * b + c - 1) / c`, `mulDivUp`, `a / b + 1`. */
const raisedQuotientOf = (flow: Flow, value: Op): Quotient | null => {
  const op = stripCasts(value)
  if (op.kind === 'phi' || op.kind === 'select') {
    const choices = op.kind === 'select' ? choicesOf(flow, op) : op.args.filter((_, edge) => isTaken(flow, op, edge))
    return choices.map((choice) => raisedQuotientIn(flow, stripCasts(choice))).find((found) => found !== null) ?? null
  }
  return raisedQuotientIn(flow, op)
}

/** `if (rounding == Rounding.Up && remainder > 0) result += 1`, where the rounding mode is written into the code. */
const isTaken = (flow: Flow, phi: Op, edge: number): boolean =>
  factsOnPath(flow, phi, edge).every(({ condition, polarity }) => canHold(flow, condition, polarity))

const raisedQuotientIn = (flow: Flow, op: Op): Quotient | null => {
  if (op.kind !== 'bin') return null
  if (op.operator === '+') {
    const quotient = op.args.map(stripCasts).find((part): part is Quotient => isMulDiv(part) || isDivision(part))
    const isRaised = quotient !== undefined && unraised(flow, op) === null && op.args.some(isAtMostOne)
    return isRaised ? quotient : null
  }
  return op.operator === '/' && !isDivision(op) ? op : null
}

/** A condition as a number, or one. */
const isAtMostOne = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'select') return op.args.slice(1).every((arg) => isZero(arg) || isOne(stripCasts(arg)))
  return isOne(op) || op.kind === 'un' || (op.kind === 'bin' && isComparison(op.operator))
}

/** The product in `(a * b + c - 1) / c`. */
const roundedProduct = ({ args: [numerator, divisor] }: BinaryOp): BinaryOp | null => {
  const addends = addendsOf(withoutOne(numerator))
  if (!addends.some((op) => sameValueOrPlace(withoutOne(op), stripCasts(divisor)))) return null
  const products = addends.filter((op): op is BinaryOp => op.kind === 'bin' && op.operator === '*')
  return products.length === 1 ? products[0]! : null
}

/** `x` of `x - 1`. */
const withoutOne = (value: Op): Op => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '-' && isOne(stripCasts(op.args[1])) ? stripCasts(op.args[0]) : op
}

/** `named * a / b`, where `b` is no constant: so much of one thing for what was named of another. */
const isRate = (flow: Flow, quotient: Quotient, named: Op): boolean => {
  if (quotient.kind === 'compute') {
    const [a, b, divisor] = quotient.args.map(stripCasts) as [Op, Op, Op]
    return (a === named || b === named) && isKept(flow, divisor)
  }
  const [product, divisor] = quotient.args
  const op = roundedProduct(quotient) ?? stripCasts(product)
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
        yield { flow, op: entry.op, named, quotient, side: 'charge' }
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
      if (named.kind === 'param' && isRate(flow, quotient, named)) yield { flow, op, named, quotient, side: 'charge' }
    }
  }
}

/** So much as the caller says comes in, and an entry grows by more than it is worth. */
function* creditedTooMuch(flow: Flow): Iterable<Candidate> {
  for (const { amount, to } of incomingOf(flow)) {
    const named = stripCasts(amount)
    if (named.kind !== 'param' || to === null || !isSelf(to)) continue
    for (const entry of entriesOf(flow)) {
      const quotient = entry.isRaised && isOfPayer(entry) ? raisedQuotientOf(flow, entry.amount) : null
      if (quotient !== null && isRate(flow, quotient, named))
        yield { flow, op: entry.op, named, quotient, side: 'credit' }
    }
  }
}

/** An entry falls by as much as the caller says, and more than that is worth is paid. */
function* paidTooMuch(flow: Flow): Iterable<Candidate> {
  for (const { op, amount } of outgoingOf(flow)) {
    const quotient = raisedQuotientOf(flow, amount)
    if (quotient === null) continue
    for (const entry of entriesOf(flow)) {
      const named = stripCasts(entry.amount)
      if (!entry.isRaised && named.kind === 'param' && isRate(flow, quotient, named))
        yield { flow, op, named, quotient, side: 'credit' }
    }
  }
}

/** What ERC-4626 demands to be rounded up: the shares that a withdrawal burns, the assets that a mint costs. */
const previews = new Set(['previewWithdraw(uint256)', 'previewMint(uint256)'])

function* previewedForLess(flow: Flow): Iterable<Candidate> {
  const [named] = flow.params
  if (!previews.has(flow.fn?.signature ?? '') || named === undefined) return
  for (const op of flow.ops('return')) {
    const quotient = op.args.length === 1 ? quotientOf(flow, op.args[0]!) : null
    if (quotient !== null && isRate(flow, quotient, named)) yield { flow, op, named, quotient, side: 'preview' }
  }
}

/** A function that charges what its preview answers has the preview's fault. */
const isInPreview = (flow: Flow, { site }: Op): boolean => {
  if (previews.has(flow.fn?.signature ?? '')) return true
  for (let at = site; at !== null; at = at.parent)
    if (at.fn.kind === 'function' && previews.has(at.fn.signature)) return true
  return false
}

/** `require(shares > 0)`: less than one unit is saved by a call. */
const isNothingRefused = ({ flow, op, quotient }: Candidate): boolean => intervalOf(flow, quotient, op).min > 0n

const messageOf = (candidate: Candidate): string => {
  const { flow, named, side } = candidate
  const [name, amount] = [`\`${flow.name}()\``, `\`${named.operator}\``]
  switch (side) {
    case 'charge':
      return `In ${name} the caller receives ${amount} but pays a quotient that rounds down, so the caller pays too little${isNothingRefused(candidate) ? '' : ', and for small amounts nothing'}.`
    case 'credit':
      return `In ${name} the caller pays ${amount} and receives a quotient that rounds up, so every call takes up to one unit from the other users.`
    case 'preview':
      return `${name} rounds down although ERC-4626 requires rounding up, so callers who rely on it pay too little for ${amount}.`
  }
}

const useOf: Record<Side, string> = {
  charge: 'This rounded amount is charged.',
  credit: 'This rounded amount is given to the caller.',
  preview: 'This rounded amount is the price that callers rely on.',
}

export default defineDetector<Candidate>({
  id: 'rounding-for-caller',
  swc: null,
  title: 'Rounding in favor of the caller',
  aliases: { owasp: ['SC03:2025'], words: ['rounding direction', 'precision loss', 'round up'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A division rounds in the caller’s favor: what they pay is cut off, or what they receive is rounded up. Every call moves up to one unit from other users to the caller, and small amounts cost nothing.',
  recommendation:
    'Round up what the caller pays and round down what they receive: `(a * b + c - 1) / c`, `mulDivUp`, or `mulDiv` with `Rounding.Ceil`.',
  references: ['https://eips.ethereum.org/EIPS/eip-4626#security-considerations'],
  cwe: ['CWE-682', 'CWE-1339'],

  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* previewedForLess(flow)
      if (flow.stateStores().length === 0) continue
      yield* takenForLess(flow)
      yield* boughtForLess(flow)
      yield* creditedTooMuch(flow)
      yield* paidTooMuch(flow)
    }
  },
  excuses: [excuse('protected', 'only privileged accounts get there', ({ flow, op }) => isProtected(flow, op))],
  finding: (candidate) => {
    const { flow, op, quotient, side } = candidate
    return {
      // A helper that cuts off, as instructed, is not to blame.
      at: flow.inCommonCaller(quotient, op),
      message: messageOf(candidate),
      // A call gains less than one unit.
      ...(side === 'credit' || (side === 'charge' && isNothingRefused(candidate)) ? { severity: 'low' as const } : {}),
      ...(isInPreview(flow, quotient) ? { cause: { start: quotient.start, end: quotient.end } } : {}),
      trace: [
        ...flow.trace(op),
        {
          at: { start: quotient.start, end: quotient.end },
          message: `The division rounds ${side === 'credit' ? 'up' : 'down'} here.`,
        },
        { at: op, message: useOf[side] },
      ],
    }
  },
})
