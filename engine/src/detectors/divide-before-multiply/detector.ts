import { type Context, type Flow, type Op, oncePerPlace, type Site, sameValue, stripCasts } from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isConstant = (op: Op): boolean => stripCasts(op).kind === 'const'

const findRemainders = (flow: Flow): readonly Op[] => flow.ops('bin').filter(({ operator }) => operator === '%')

/** `x / y * y` rounds on purpose; `x % y` beside it keeps the rest. */
const isDeliberate = (flow: Flow, quotient: Op, factor: Op): boolean => {
  const divisor = quotient.args[1]!
  if (sameValue(stripCasts(divisor), stripCasts(factor))) return true
  return flow.answer(findRemainders).some((op) => sameValue(stripCasts(op.args[1]!), stripCasts(divisor)))
}

const scale = 1_000_000n

/** Fixed point: the dividend was made large by a constant first, so next to nothing is lost. */
const isScaled = (dividend: Op, depth = 0): boolean => {
  const op = stripCasts(dividend)
  if (depth > 4) return false
  if (op.kind === 'phi') return op.args.some((arg) => isScaled(arg, depth + 1))
  if (op.kind !== 'bin') return false
  if (op.operator === '<<') return true
  if (op.operator !== '*') return false
  return op.args.some((arg) => (stripCasts(arg).constant ?? 0n) >= scale || isScaled(arg, depth + 1))
}

/** Mathematics in `unchecked` blocks and assembly works with remainders and bits; it is not about amounts. */
const isBitwork = (flow: Flow, product: Op): boolean =>
  !product.flag && (flow.writtenIn(product)?.file.versions.isAtLeast(8) ?? false)

const findQuotient = (product: Op): { quotient: Op; factor: Op } | null => {
  for (let i = 0; i < 2; i++) {
    const quotient = stripCasts(product.args[i]!)
    if (quotient.kind !== 'bin' || quotient.operator !== '/') continue
    const factor = product.args[1 - i]!
    if (isScaled(quotient.args[0]!)) continue
    // A constant quotient is folded exactly; a quotient of one is a flag.
    if (isConstant(quotient.args[0]!) && isConstant(quotient.args[1]!)) continue
    return { quotient, factor }
  }
  return null
}

/** Where an operation shows in the caller's own text: arithmetic libraries are looked through. */
const shownAt = (flow: Flow, op: Op): { span: Span; site: Site | null } => {
  let span: Span = op
  let site = op.site
  while (site?.call && site.fn.contract?.contractKind === 'library' && site.fn.contract !== flow.contract) {
    span = site.call
    site = site.parent
  }
  return { span, site }
}

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

const findLosses = ({ functions }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of functions) for (const op of flow.ops('bin')) if (op.operator === '*') addLoss(flow, op, hits)
  return hits
}

const addLoss = (flow: Flow, op: Op, hits: Hit[]): void => {
  const found = findQuotient(op)
  if (!found || isBitwork(flow, op) || sameValue(op.args[0]!, op.args[1]!)) return
  if (isDeliberate(flow, found.quotient, found.factor)) return
  const product = shownAt(flow, op)
  const quotient = shownAt(flow, found.quotient)
  // A quotient with a name of its own may be meant as it is.
  if (product.site !== quotient.site || !contains(product.span, quotient.span)) return
  hits.push({
    at: product.span,
    message: 'The division rounds down first, and the multiplication makes the lost part larger.',
    trace: [{ at: quotient.span, message: 'Rounded down here.' }],
  })
}

export default defineDetector({
  id: 'divide-before-multiply',
  swc: null,
  title: 'Division before multiplication loses precision',
  severity: 'low',
  confidence: 'medium',
  description:
    'Integer division drops the rest. Multiplying afterwards multiplies the error, so amounts come out too small, down to zero for small inputs.',
  recommendation: 'Multiply first and divide last; where the product could overflow, use a full-width `mulDiv`.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#divide-before-multiply'],
  cwe: ['CWE-682'],

  run: (context) => oncePerPlace(findLosses(context)),
})
