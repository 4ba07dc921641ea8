import { affectedResult } from '../../idioms/index.ts'
import {
  alternativesOf,
  type BinaryOp,
  budget,
  describeValue,
  type Flow,
  holding,
  type Op,
  quoteSource,
  type Site,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Loss {
  readonly flow: Flow
  readonly product: BinaryOp
  readonly quotient: BinaryOp
  readonly factor: Op
  /** Where product and quotient show in the caller's own text. */
  readonly at: Span
  readonly roundedAt: Span
}

interface Shown {
  readonly span: Span
  readonly site: Site | null
}

/** Where an operation shows: in its own body, then as the library call that leads to it. */
function* placesOf(flow: Flow, op: Op): Iterable<Shown> {
  let span: Span = op
  let site = op.site
  yield { span, site }
  while (site?.call && site.fn.contract?.contractKind === 'library' && site.fn.contract !== flow.contract) {
    span = site.call
    site = site.parent
    yield { span, site }
  }
}

/** The innermost body that shows both: `a.div(b).mul(c)` is read where it is written, and `a / b * c` of a library there. */
const shownTogether = (flow: Flow, product: Op, quotient: Op): readonly [Shown, Shown] | null => {
  const inner = [...placesOf(flow, quotient)]
  for (const outer of placesOf(flow, product)) {
    const same = inner.find(({ site }) => site === outer.site)
    if (same !== undefined) return [outer, same]
  }
  return null
}

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

/** A factor of the product is a quotient, in one expression: one with a name of its own may be meant as it is. */
function* lossesIn(flow: Flow, product: BinaryOp): Iterable<Loss> {
  const [left, right] = product.args
  for (const [value, factor] of [
    [left, right],
    [right, left],
  ] as const) {
    const quotient = stripCasts(value)
    if (quotient.kind !== 'bin' || quotient.operator !== '/') continue
    // A factor of 1 or -1 makes no error larger.
    const by = stripCasts(factor)
    if (by.kind === 'const' && (by.constant === 1n || by.constant === -1n)) continue
    const [outer, inner] = shownTogether(flow, product, quotient) ?? []
    if (outer !== undefined && inner !== undefined && contains(outer.span, inner.span))
      yield { flow, product, quotient, factor, at: outer.span, roundedAt: inner.span }
  }
}

const isSame = (a: Op, b: Op): boolean => sameValue(stripCasts(a), stripCasts(b))

const scale = 1_000_000n

/** Phis go round in loops. */
const maxScaleDepth = budget.depth.scale

/** Made large by a constant, or by bits. */
const isScaled = (dividend: Op, depth = 0): boolean => {
  const op = stripCasts(dividend)
  if (depth > maxScaleDepth) return false
  if (alternativesOf(op).some((arg) => isScaled(arg, depth + 1))) return true
  if (op.kind !== 'bin') return false
  if (op.operator === '<<') return true
  return (
    op.operator === '*' && op.args.some((arg) => (stripCasts(arg).constant ?? 0n) >= scale || isScaled(arg, depth + 1))
  )
}

const restsOf = (flow: Flow): readonly BinaryOp[] => flow.ops('bin').filter(({ operator }) => operator === '%')

/** `a / b` as written, or the library function that divides. */
const divisionOf = (flow: Flow, quotient: BinaryOp, roundedAt: Span): string => {
  const written = quoteSource(flow.model, roundedAt, 40)
  for (let site = quotient.site; site !== null; site = site.parent)
    if (site.call?.start === roundedAt.start) return `\`${written ?? `${site.fn.name}()`}\` divides and truncates`
  return `${written === null ? 'this division' : `\`${written}\``} truncates`
}

const byFactor = (flow: Flow, factor: Op): string => {
  const name = (factor.kind === 'const' && quoteSource(flow.model, factor.node)) || describeValue(flow.model, factor)
  return name === '…' ? '' : ` by \`${name}\``
}

export default defineDetector<Loss>({
  id: 'divide-before-multiply',
  swc: null,
  title: 'Division before multiplication',
  aliases: {
    slither: ['divide-before-multiply'],
    aderyn: ['division-before-multiplication'],
    owasp: ['SC03:2025'],
    words: ['precision loss', 'rounding'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    'Integer division truncates. Multiplying the truncated result amplifies the error, so amounts come out too small, down to zero for small inputs.',
  recommendation: 'Multiply before dividing; if the product can overflow, use a full-precision `mulDiv`.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#divide-before-multiply'],
  cwe: ['CWE-682'],

  needs: [holding.product, holding.quotient],
  *candidates({ functions }) {
    for (const flow of functions) for (const op of flow.ops('bin')) if (op.operator === '*') yield* lossesIn(flow, op)
  },

  excuses: [
    excuse('rounds-on-purpose', '`x / y * y` rounds on purpose', ({ quotient, factor }) =>
      isSame(quotient.args[1], factor),
    ),
    excuse('rest-kept', 'the function also uses `x % y`, which keeps the remainder', ({ flow, quotient }) =>
      flow.answer(restsOf).some(({ args }) => isSame(args[1], quotient.args[1])),
    ),
    excuse(
      'scaled',
      'the dividend is scaled by a constant first (fixed point), so the loss is negligible',
      ({ quotient }) => isScaled(quotient.args[0]),
    ),
    excuse(
      'bitwork',
      'it is in an `unchecked` block or assembly that works with remainders and bits',
      ({ flow, product }) => !product.flag && (flow.writtenIn(product)?.file.versions.isAtLeast(8) ?? false),
    ),
  ],

  finding: ({ flow, product, quotient, factor, at, roundedAt }) => ({
    at: roundedAt,
    message: `In \`${flow.model.functionAt(roundedAt.start)?.name || flow.name}()\`, ${divisionOf(flow, quotient, roundedAt)} before the multiplication${byFactor(flow, factor)}, so ${affectedResult(flow, product) ?? 'the result'} is inaccurate: what the division drops is multiplied too.`,
    trace: [{ at, message: `The truncated result is multiplied${byFactor(flow, factor)} here.` }],
  }),
})
