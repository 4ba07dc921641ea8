import { intervalOf } from '../../facts/index.ts'
import { quoteValue } from '../../idioms/index.ts'
import { type Flow, holding, type Op, rangeOf, stripCasts } from '../../ir/index.ts'
import type { IntType } from '../../model/index.ts'
import { defineDetector, excuse, type Severity } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly quotient: Op
  readonly product: Op
  readonly type: IntType
}

/** Wide enough for any product of amounts that exist. */
const wideBits = 192

/** A product that is divided again, worked out in a type that is hardly wider than its factors. */
function* narrowProducts(flow: Flow): Iterable<Candidate> {
  for (const quotient of flow.ops('bin')) {
    if (quotient.operator !== '/') continue
    const product = stripCasts(quotient.args[0])
    if (product.kind !== 'bin' || product.operator !== '*' || !product.flag) continue
    const type = flow.typeOf(product)
    if (type?.kind !== 'int' || type.bits >= wideBits) continue
    const factors = product.args.map(stripCasts)
    if (factors.some(({ kind }) => kind === 'const')) continue
    const bits = factors.map((factor) => flow.typeOf(factor)).map((each) => (each?.kind === 'int' ? each.bits : 256))
    if (bits[0]! + bits[1]! > type.bits) yield { flow, quotient, product, type }
  }
}

/** A trillion whole tokens of 18 decimals; with a hundred million, some tokens exist that have more. */
const mostTokens = 10n ** 30n
const manyTokens = 10n ** 26n

/**
 * `balance * ratio / 1e8`: a power of ten below is the scale of one factor, and the other one is an amount. With so large an amount, the scale
 * alone fills the type; null where both factors may be amounts.
 */
const amountThatOverflows = ({ quotient, product, type }: Candidate): bigint | null => {
  const scale = stripCasts(quotient.args[1]!).constant ?? null
  if (scale === null || !isPowerOfTen(scale) || product.args.some(isProduct)) return null
  return rangeOf(type).max / scale
}

const isPowerOfTen = (value: bigint): boolean => /^10+$/.test(value.toString())

const isProduct = (factor: Op): boolean => stripCasts(factor).operator === '*'

const severityOf = (candidate: Candidate): Severity => {
  const amount = amountThatOverflows(candidate)
  if (amount === null || amount < manyTokens) return 'medium'
  return amount < mostTokens ? 'low' : 'info'
}

export default defineDetector<Candidate>({
  id: 'checked-arithmetic-dos',
  swc: null,
  title: 'Intermediate overflow reverts (narrow type)',
  aliases: { owasp: ['SC10:2025', 'SC08:2025'], words: ['phantom overflow', 'overflow revert', 'mulDiv'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'Two values are multiplied in a narrow type before a division. Since Solidity 0.8 the product reverts when it exceeds the type, even if the final result fits. Large but valid amounts then block the function and lock what depends on it.',
  recommendation: 'Cast one factor to `uint256` before multiplying, and cast the quotient back with `SafeCast`.',
  references: ['https://docs.soliditylang.org/en/latest/control-structures.html#checked-or-unchecked-arithmetic'],
  cwe: ['CWE-190'],
  yieldsTo: ['integer-overflow'],

  needs: [holding.product, holding.quotient],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* narrowProducts(flow)
  },
  excuses: [
    excuse('fits', 'every possible product fits the type', ({ flow, product, type }) => {
      const bounds = product.args.map((factor) => intervalOf(flow, factor, product))
      const range = rangeOf(type)
      return (
        bounds.every((each) => each !== null) && bounds[0]!.min >= 0n && bounds[0]!.max * bounds[1]!.max <= range.max
      )
    }),
  ],
  finding: (candidate) => {
    const { flow, product, type } = candidate
    return {
      at: product,
      severity: severityOf(candidate),
      message: `\`${flow.name}()\` computes ${quoteValue(flow, product, 'this product')} as \`${type.signed ? 'int' : 'uint'}${type.bits}\` before it divides. Large but valid amounts exceed the type, so the call reverts for their owners.`,
      trace: flow.trace(product),
    }
  },
})
