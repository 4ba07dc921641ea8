import {
  chosenByCaller,
  comparisonsOf,
  dependsOn,
  intervalOf,
  rangeOf,
  reaches,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { IntType, Type } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly cast: Op
  readonly value: Op
  readonly from: IntType
  readonly to: IntType
}

const asInt = (type: Type | null): IntType | null => (type?.kind === 'int' ? type : null)

/** The cut value is kept or decides about money. */
const isKept = (flow: Flow, cast: Op): boolean =>
  reaches(flow, cast, {
    through: ({ kind }) => kind === 'bin' || kind === 'cast' || kind === 'phi' || kind === 'select',
    until: ({ user }) =>
      (user?.kind === 'store' && user.location.space !== 'memory') || (user?.kind === 'call' && !user.call.inlined),
  })

const cutting = new Set(['>>', '&', '%', '^', '|'])

export default defineDetector<Candidate>({
  id: 'unsafe-downcast',
  swc: null,
  title: 'Number is cut to a smaller type without a test',
  severity: 'low',
  confidence: 'medium',
  description:
    'Conversions to a smaller integer type drop the upper bits silently, also from Solidity 0.8 on. A large amount becomes a small one, and the books no longer agree with what moved.',
  recommendation: 'Use `SafeCast`, or require that the value fits before converting it.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/api/utils#SafeCast'],
  cwe: ['CWE-197'],
  yieldsTo: ['integer-overflow'],

  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const cast of flow.ops('cast')) {
        if (!(flow.writtenIn(cast)?.file.versions.isAtLeast(8) ?? false)) continue
        const value = cast.args[0]
        const to = asInt(flow.typeOf(cast))
        const from = value && to !== null ? asInt(flow.typeOf(value)) : null
        if (!value || !to || !from || to.bits >= from.bits) continue
        if ((taintOf(flow, value) & chosenByCaller) !== 0 && isKept(flow, cast)) yield { flow, cast, value, from, to }
      }
  },

  excuses: [
    excuse(
      'time',
      'it is a time, which fits into 40 bits until long after us',
      ({ flow, value }) => (taintOf(flow, value) & Source.time) !== 0,
    ),
    excuse(
      'meant-to-cut',
      'bits are picked on purpose: of a hash, by a mask, a shift or a remainder',
      ({ flow, value }) => {
        const op = stripCasts(value)
        if (op.kind === 'builtin' || (op.kind === 'bin' && cutting.has(op.operator))) return true
        return dependsOn(flow, op, (part) => part.kind === 'builtin' && part.operator.startsWith('keccak'))
      },
    ),
    excuse('fits', 'every value that it can have fits', ({ flow, cast, value, to }) => {
      const bounds = intervalOf(flow, value, cast)
      const range = rangeOf(to)
      return bounds !== null && bounds.min >= range.min && bounds.max <= range.max
    }),
    excuse('compared', 'the value is compared with what is left of it, or with a constant', ({ flow, value }) => {
      const whole = stripCasts(value)
      return comparisonsOf(flow, whole).some(({ args }) =>
        args.every((arg) => stripCasts(arg) === whole || stripCasts(arg).kind === 'const'),
      )
    }),
  ],

  finding: ({ flow, cast, from, to }) => ({
    at: cast,
    message: `A value of ${from.bits} bits that the caller influences is cut to ${to.bits} bits without a test.`,
    trace: flow.trace(cast),
  }),
})
