import { type Context, type Flow, type Op, oncePerPlace, sameValue, stripCasts } from '../flow/index.ts'
import { defineDetector, type Hit } from './detector.ts'

const isConstant = (op: Op): boolean => stripCasts(op).kind === 'const'

/** `x / y * y` rounds on purpose; `x % y` beside it keeps the rest. */
const isDeliberate = (flow: Flow, quotient: Op, factor: Op): boolean => {
  const divisor = quotient.args[1]!
  if (sameValue(stripCasts(divisor), stripCasts(factor))) return true
  return flow.ops('bin').some((op) => op.operator === '%' && sameValue(stripCasts(op.args[1]!), stripCasts(divisor)))
}

const findQuotient = (product: Op): { quotient: Op; factor: Op } | null => {
  for (let i = 0; i < 2; i++) {
    const quotient = stripCasts(product.args[i]!)
    if (quotient.kind !== 'bin' || quotient.operator !== '/') continue
    const factor = product.args[1 - i]!
    // A constant quotient is folded exactly; a quotient of one is a flag.
    if (isConstant(quotient.args[0]!) && isConstant(quotient.args[1]!)) continue
    return { quotient, factor }
  }
  return null
}

function* findLosses(context: Context): Generator<Hit> {
  for (const { flow, op } of context.opsOfKind('bin')) {
    if (op.operator !== '*') continue
    const found = findQuotient(op)
    if (!found || isDeliberate(flow, found.quotient, found.factor)) continue
    yield {
      at: op,
      message: 'The division rounds down first, and the multiplication makes the lost part larger.',
      trace: [{ at: found.quotient, message: 'Rounded down here.' }],
    }
  }
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

  *run(context) {
    yield* oncePerPlace(findLosses(context))
  },
})
